import type { Stripe } from 'stripe'
import type { Ctx } from '#tenants/context.ts'
import { callStripe } from '../vendor/client.ts'
import { StripeError } from '../vendor/errors.ts'
import { isEnded, toId, type Charge } from './progress.ts'
import type { Subscription } from './queries.ts'
import { intervals } from './terms.ts'

export type PlannedSchedule = { id: string; skippedParts: number }

/** Stripe makes the invoice of a part within hours of its beginning. */
const toleranceMs = 86_400_000

type Input = { known: Subscription; subscription: Stripe.Subscription; charges: Charge[]; syncs: number }

/**
 * Sees to it that Stripe ends a subscription after its last installment, and asks later for those that were left out
 * while it was paused. Returns null if there is nothing to plan. Throws StripeError.
 */
export async function ensureSchedule(
  ctx: Ctx,
  { known, subscription, charges, syncs }: Input,
): Promise<PlannedSchedule | null> {
  const { id, parts, accountId, frequency } = known
  if (parts === null || isEnded(subscription)) return null
  if (subscription.cancel_at_period_end || known.cancelsAtPeriodEnd) return null
  const ownParts = charges.filter(({ isPart }) => isPart)
  const skippedParts = ownParts.filter(({ status }) => status === 'void').length
  const present = toId(subscription.schedule)
  if (present !== null && present === known.scheduleId && skippedParts === known.skippedParts) return null
  const options = { stripeAccount: accountId! }
  const key = `coach:${ctx.coachId}:subscription:${id}:schedule:${syncs}`
  const { config } = ctx.platform
  const retrieve = (scheduleId: string) =>
    callStripe(config, (stripe) => stripe.subscriptionSchedules.retrieve(scheduleId, {}, options))
  const create = async () => {
    const body = { from_subscription: subscription.id }
    try {
      return await callStripe(config, (stripe) =>
        stripe.subscriptionSchedules.create(body, { ...options, idempotencyKey: `${key}:create` }),
      )
    } catch (error) {
      if (!(error instanceof StripeError) || error.kind !== 'refused') throw error
      // Another sync may have been faster.
      const { schedule: other } = await callStripe(config, (stripe) =>
        stripe.subscriptions.retrieve(subscription.id, {}, options),
      )
      const otherId = toId(other)
      if (!otherId) throw error
      return retrieve(otherId)
    }
  }
  const schedule = present === null ? await create() : await retrieve(present)
  const phase = schedule.phases[0]!
  const begins = new Date(phase.start_date * 1000).getTime() - toleranceMs
  const before = ownParts.filter(({ status, createdAt }) => status !== 'void' && createdAt.getTime() < begins).length
  const skippedSince = ownParts.filter(
    ({ status, createdAt }) => status === 'void' && createdAt.getTime() >= begins,
  ).length
  const interval_count = parts - before + skippedSince
  // All parts were charged before: the one that is too much ends it.
  if (interval_count < 1) return null
  await callStripe(config, (stripe) =>
    stripe.subscriptionSchedules.update(
      schedule.id,
      {
        end_behavior: 'cancel',
        proration_behavior: 'none',
        phases: [
          {
            start_date: phase.start_date,
            items: phase.items.map(({ price, quantity }) => ({ price: toId(price)!, quantity: quantity ?? 1 })),
            duration: { interval: intervals[frequency], interval_count },
          },
        ],
      },
      { ...options, idempotencyKey: `${key}:update:${interval_count}` },
    ),
  )
  return { id: schedule.id, skippedParts }
}
