import type { Ctx } from '#tenants/context.ts'
import { sendEmail } from '#tenants/mail.ts'

type Connection = { email: string; state: string }

/** `email`: that of the connected account. `path`: the settings page where the coach connects again. */
export type ReconnectEmail = { subject: string; toParagraphs: (email: string) => string[]; path: string }

/** Tells the coach that the vendor has ended the connection, unless they have connected again. */
export async function sendReconnectEmail(
  ctx: Ctx,
  connection: Connection | null,
  { subject, toParagraphs, path }: ReconnectEmail,
): Promise<void> {
  if (connection?.state !== 'needs_reconnect') return
  const { config, now } = ctx.platform
  await sendEmail(
    config,
    {
      to: ctx.account.email,
      subject,
      paragraphs: toParagraphs(connection.email),
      button: { label: 'Connect again', url: `${config.origin}${path}` },
      from: null,
    },
    now(),
  )
}
