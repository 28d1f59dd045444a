import type { Ctx } from '#tenants/context.ts'
import { sendEmail } from '#tenants/mail.ts'
import { findConnection } from '../queries/connection.ts'

/** Tells the coach that Google has ended the connection, unless they have connected again. */
export async function sendReconnectEmail(ctx: Ctx): Promise<void> {
  const connection = await findConnection(ctx)
  if (connection?.state !== 'needs_reconnect') return
  const { config, now } = ctx.platform
  await sendEmail(
    config,
    {
      to: ctx.account.email,
      subject: 'Connect Google Calendar again',
      paragraphs: [
        `Google no longer lets us read and write the calendar of ${connection.email}.`,
        'Until you connect again, new sessions are not written there, and new events there don’t block time. ' +
          'Your sessions are all here, and what was read before still counts.',
      ],
      button: { label: 'Connect again', url: `${config.origin}/settings/google-calendar` },
      from: null,
    },
    now(),
  )
}
