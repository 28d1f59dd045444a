import type { Ctx } from '#tenants/context.ts'
import { countEndpoints } from './queries/webhooks.ts'
import { createEndpoint, setEndpointState } from './services/endpoints.ts'

/** An endpoint of the demo practice, once, with a delivery that was never sent: nothing leaves the machine. */
export async function seed(ctx: Ctx): Promise<void> {
  if (await countEndpoints(ctx)) return
  const event = ctx.extensions.publishedEvents[0]?.event.name
  if (!event) return
  await ctx.write(async (tx) => {
    const { id } = await createEndpoint(tx, { url: 'https://automation.example.com/coaching', events: [event] })
    await setEndpointState(tx, id, false)
    await tx.query({
      name: 'webhooks.seed',
      text: `insert into webhook_delivery (coach_id, endpoint_id, message_id, event, body, state, problem, created_at)
        values ($1, $2, $3, $4, $5, 'failed', 'The webhook was switched off.', $6)`,
      values: [tx.coachId, id, `msg_demo${id}`, event, JSON.stringify({ type: event, data: {} }), tx.now()],
    })
  })
}
