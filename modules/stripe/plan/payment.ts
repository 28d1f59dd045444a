import { formatDate } from '#app/lib/time.ts'
import { formatCents } from '#app/lib/money.ts'
import type { PlanPayment } from '#modules/core/manifest.ts'
import { planNames, plans, type PlanName } from '#tenants/accounts/plans.ts'
import { writeAsTenant, type Ctx } from '#tenants/context.ts'
import { findSubscription, type StoredSubscription } from './queries.ts'
import { isLive } from './state.ts'

/** How the coach pays for the plan; null without Stripe. */
export async function getPlanPayment(ctx: Ctx): Promise<PlanPayment | null> {
  const { stripe } = ctx.platform.config
  if (!stripe) return null
  const stored = await findSubscription(ctx, ctx.coachId)
  const live = stored && isLive(stored.status) ? stored : null
  const current = live?.plan ?? 'free'
  // A trial, or a plan that an administrator has given, is not paid for yet.
  const effective = live ? current : ctx.plan
  return {
    action: '/upgrade/pay',
    choices: Object.fromEntries(
      planNames
        .filter((plan) => plan !== current && (plan === 'free' ? !live?.cancelsAt : stripe.prices[plan]))
        .map((plan) => [plan, labelChoice(plan, effective)]),
    ),
    canManage: stored?.subscriptionId != null,
    status: live && describe(live, ctx.account.timezone),
  }
}

function labelChoice(plan: PlanName, current: PlanName): string {
  const { title } = plans[plan]
  if (plan === current) return `Pay for ${title}`
  return `${planNames.indexOf(plan) > planNames.indexOf(current) ? 'Upgrade' : 'Downgrade'} to ${title}`
}

/** 'Pro, $29 per month. It renews on April 10, 2026.' */
function describe({ plan, status, periodEndsAt, cancelsAt }: StoredSubscription, timezone: string): string {
  const { title, monthlyPrice } = plans[plan]
  const price = `${title}, ${formatCents(monthlyPrice, { cents: 'needed' })} per month.`
  const day = (at: string) => formatDate(at, timezone)
  if (cancelsAt) return `${price} It ends on ${day(cancelsAt)}, then you move to Free. Nothing is deleted.`
  if (!periodEndsAt || (status !== 'active' && status !== 'trialing')) return price
  return `${price} ${status === 'trialing' ? 'The first payment is' : 'It renews'} on ${day(periodEndsAt)}.`
}

const statusLabels: Record<string, string> = {
  active: 'Active',
  trialing: 'First payment after the trial',
  past_due: 'Payment failed',
  unpaid: 'Not paid',
  paused: 'Paused',
  canceled: 'Ended',
}

/** A coach's subscription as the administrator sees it. */
export async function listSubscriptionFacts(ctx: Ctx, coachId: number): Promise<Record<string, string>> {
  if (!ctx.account.isAdmin) return {}
  const stored = await ctx.write((tx) => writeAsTenant(tx, coachId, (other) => findSubscription(other, coachId)))
  if (!stored) return {}
  const { status, plan, periodEndsAt, cancelsAt, customerId } = stored
  const end = cancelsAt ?? periodEndsAt
  const isCurrent = isLive(status)
  return {
    Subscription:
      status === null
        ? 'None yet'
        : [statusLabels[status] ?? status, isCurrent ? plans[plan].title : ''].filter(Boolean).join(', '),
    ...(end && isCurrent ? { [cancelsAt ? 'Ends' : 'Renews']: formatDate(end, ctx.account.timezone) } : {}),
    'Stripe customer': customerId,
  }
}
