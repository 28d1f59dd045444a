import { dayMs } from '#app/lib/time.ts'
import { graceDays, planNames, type PlanName } from '#tenants/accounts/plans.ts'

/** A subscription of a coach at Stripe. `plan`: null for a price that is none of ours. */
export type Subscription = {
  id: string
  itemId: string
  status: string
  plan: PlanName | null
  createdAt: Date
  periodEndsAt: Date
  cancelsAt: Date | null
  /** Whether Stripe ended it because it was not paid. */
  isUnpaid: boolean
}

const paying = ['active', 'trialing']
const failing = ['past_due', 'unpaid']

/** Whether it has not ended. */
export const isLive = (status: string | null): boolean =>
  status !== null && [...paying, ...failing, 'paused'].includes(status)

/**
 * The subscription that counts, and those that must be cancelled: a coach has one. Those of our plans are better than
 * others, paid ones better than those whose payment fails, then the higher plan, then the older one. Those whose first
 * payment didn't work count for nothing.
 */
export function chooseSubscription(subscriptions: Subscription[]): {
  best: Subscription | null
  others: Subscription[]
} {
  const begun = subscriptions.filter(({ status }) => !status.startsWith('incomplete'))
  const [best, ...others] = begun.filter(({ status }) => isLive(status)).toSorted(compare)
  const [ended] = begun.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  return { best: best ?? ended ?? null, others }
}

const rank = ({ status }: Subscription): number => (paying.includes(status) ? 2 : failing.includes(status) ? 1 : 0)
const planRank = ({ plan }: Subscription): number => (plan === null ? -1 : planNames.indexOf(plan))
const isOurs = ({ plan }: Subscription): number => Number(plan !== null)
const compare = (a: Subscription, b: Subscription): number =>
  isOurs(b) - isOurs(a) ||
  rank(b) - rank(a) ||
  planRank(b) - planRank(a) ||
  a.createdAt.getTime() - b.createdAt.getTime()

/** The plan that an account gets. `failedAt`: since when the payment of the plan fails. */
export type PaidPlan = { plan: PlanName; failedAt: Date | null }

/** The plan that a subscription gives. While its payment fails it is kept for 14 days, then it is free. */
export function toPaidPlan(subscription: Subscription, known: Date | null, now: Date): PaidPlan {
  const { status, plan, isUnpaid } = subscription
  if (plan === null) return { plan: 'free', failedAt: null }
  if (paying.includes(status)) return { plan, failedAt: null }
  if (!failing.includes(status) && !isUnpaid) return { plan: 'free', failedAt: null }
  const failedAt = known ?? now
  return { plan: now.getTime() < failedAt.getTime() + graceDays * dayMs ? plan : 'free', failedAt }
}
