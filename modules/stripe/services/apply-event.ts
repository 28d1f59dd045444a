import type { Ctx } from '#tenants/context.ts'
import { StripeError } from '../vendor/errors.ts'
import { findHandler, type StoredEvent } from './event-types.ts'

/** Applies an event once. Throws StripeError for what may work later. */
export async function applyEvent(ctx: Ctx, id: number): Promise<void> {
  const [event] = await ctx.query<StoredEvent & { isApplied: boolean }>({
    name: 'stripe.event',
    text: `select id, account_id as "accountId", type, object_id as "objectId", applied_at is not null as "isApplied"
      from stripe_event where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id],
  })
  if (!event || event.isApplied) return
  try {
    await findHandler(event)?.(ctx, event)
  } catch (error) {
    if (!(error instanceof StripeError) || error.kind === 'busy' || error.kind === 'down') throw error
    // Repeating it changes nothing: the object no longer exists, or the account is no longer connected.
    ctx.platform.log.warn(
      { account: ctx.coachId, type: event.type, kind: error.kind, code: error.code },
      'an event of Stripe could not be applied',
    )
  }
  await ctx.write((tx) =>
    tx.query({
      name: 'stripe.event-applied',
      text: 'update stripe_event set applied_at = $3 where coach_id = $1 and id = $2',
      values: [ctx.coachId, id, ctx.now()],
    }),
  )
}
