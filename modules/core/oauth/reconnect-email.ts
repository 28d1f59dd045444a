import type { Ctx } from '#tenants/context.ts'
import { emailCoach } from '../notifications.ts'

type Connection = { email: string; state: string }

/**
 * `kind`: of the notification. `email`: that of the connected account. `path`: the settings page where the coach connects
 * again.
 */
export type ReconnectEmail = {
  kind: string
  subject: string
  toParagraphs: (email: string) => string[]
  path: string
}

/** Tells the coach that the vendor has ended the connection, unless they have connected again. */
export async function sendReconnectEmail(
  ctx: Ctx,
  connection: Connection | null,
  { kind, subject, toParagraphs, path }: ReconnectEmail,
): Promise<void> {
  if (connection?.state !== 'needs_reconnect') return
  await emailCoach(ctx, kind, {
    subject,
    paragraphs: toParagraphs(connection.email),
    button: { label: 'Connect again', url: `${ctx.platform.config.origin}${path}` },
  })
}
