import { sendReconnectEmail as send } from '#modules/core/oauth/reconnect-email.ts'
import type { Ctx } from '#tenants/context.ts'
import { findConnection } from '../queries/connection.ts'

/** Tells the coach that Zoom has ended the connection, unless they have connected again. */
export async function sendReconnectEmail(ctx: Ctx): Promise<void> {
  await send(ctx, await findConnection(ctx), {
    kind: 'zoom.reconnect',
    subject: 'Connect Zoom again',
    toParagraphs: (email) => [
      `Zoom no longer lets us read the recordings of ${email}.`,
      'Until you connect again, no recordings of your sessions are found there. What was found before is all here.',
    ],
    path: '/settings/zoom',
  })
}
