import { sendReconnectEmail as send } from '#modules/core/oauth/reconnect-email.ts'
import type { Ctx } from '#tenants/context.ts'
import { findConnection } from '../queries/connection.ts'

/** Tells the coach that Google has ended the connection, unless they have connected again. */
export async function sendReconnectEmail(ctx: Ctx): Promise<void> {
  await send(ctx, await findConnection(ctx), {
    kind: 'google.reconnect',
    subject: 'Connect Google Calendar again',
    toParagraphs: (email) => [
      `Google no longer lets us read and write the calendar of ${email}.`,
      'Until you connect again, new sessions are not written there, and new events there don’t block time. ' +
        'Your sessions are all here, and what was read before still counts.',
    ],
    path: '/settings/google-calendar',
  })
}
