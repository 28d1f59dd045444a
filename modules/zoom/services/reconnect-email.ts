import type { Ctx } from '#tenants/context.ts'
import { sendEmail } from '#tenants/mail.ts'
import { findConnection } from '../queries/connection.ts'

/** Tells the coach that Zoom has ended the connection, unless they have connected again. */
export async function sendReconnectEmail(ctx: Ctx): Promise<void> {
  const connection = await findConnection(ctx)
  if (connection?.state !== 'needs_reconnect') return
  const { config, now } = ctx.platform
  await sendEmail(
    config,
    {
      to: ctx.account.email,
      subject: 'Connect Zoom again',
      paragraphs: [
        `Zoom no longer lets us read the recordings of ${connection.email}.`,
        'Until you connect again, no recordings of your sessions are found there. What was found before is all here.',
      ],
      button: { label: 'Connect again', url: `${config.origin}/settings/zoom` },
      from: null,
    },
    now(),
  )
}
