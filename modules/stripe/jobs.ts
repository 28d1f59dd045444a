import type { Job, JobData } from '#modules/core/manifest.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx } from '#tenants/context.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import type { Platform } from '#tenants/platform.ts'
import { emailPlanFailure, planFailureQueue } from './plan/email.ts'
import { reconcilePlans, syncPlan } from './plan/sync.ts'
import { findAccount } from './queries/account.ts'
import { applyEvent } from './services/apply-event.ts'
import { expireCheckout } from './services/checkout.ts'
import { queues } from './services/queue.ts'
import { reconcileAccount } from './services/reconcile.ts'
import { sendRefund } from './services/refunds.ts'
import { emailFailure, emailOffer } from './subscriptions/emails.ts'
import { subscriptionQueues } from './subscriptions/queue.ts'
import { forgetUnpaid, syncSubscriptions } from './subscriptions/reconcile.ts'

/** Stripe may be away for eight hours. */
const settings = { batchSize: 20, retryLimit: 40 }

export const jobs: Job[] = [
  { name: queues.plan, ...settings, keepsData: true, run: syncClosed },
  {
    name: queues.event,
    kind: 'webhook',
    ...settings,
    keepsData: true,
    run: (platform, data) => asCoach(platform, data, (ctx) => applyEvent(ctx, Number(data.eventId))),
  },
  {
    name: queues.refund,
    ...settings,
    keepsData: true,
    run: (platform, data) => asCoach(platform, data, (ctx) => sendRefund(ctx, Number(data.refundRowId))),
  },
  {
    name: queues.expire,
    ...settings,
    keepsData: true,
    run: (platform, data) => asCoach(platform, data, (ctx) => expireCheckout(ctx, Number(data.checkoutId))),
  },
  {
    name: subscriptionQueues.offer,
    kind: 'email',
    ...settings,
    run: (platform, data) => asCoach(platform, data, (ctx) => emailOffer(ctx, Number(data.subscriptionId))),
  },
  {
    name: subscriptionQueues.failure,
    kind: 'email',
    ...settings,
    run: (platform, data) => asCoach(platform, data, (ctx) => emailFailure(ctx, Number(data.chargeRowId))),
  },
  {
    name: planFailureQueue,
    kind: 'email',
    ...settings,
    keepsData: true,
    run: (platform, data) => asCoach(platform, data, (ctx) => emailPlanFailure(ctx, String(data.failedAt))),
  },
  { name: 'stripe.schedules', keepsData: true, every: '23 * * * *', run: schedule },
  { name: 'stripe.plans', keepsData: true, every: '47 3 * * *', run: reconcilePlans },
  { name: 'stripe.reconcile', keepsData: true, every: '11 4 * * *', run: reconcile },
  { name: 'stripe.forget-subscriptions', keepsData: true, every: '31 4 * * *', run: forgetUnpaid },
]

async function asCoach(platform: Platform, { coachId }: JobData, work: (ctx: Ctx) => Promise<void>): Promise<void> {
  const ctx = await loadCoachContext(platform, Number(coachId), `stripe-${String(coachId)}`)
  if (ctx) await work(ctx)
}

/** Without a coach's context, which a closed account doesn't have. */
async function syncClosed(platform: Platform, { coachId }: JobData): Promise<void> {
  if (platform.config.stripe) await syncPlan(platform, Number(coachId))
}

/** Compares all accounts with Stripe. */
function reconcile(platform: Platform): Promise<void> {
  return forEachAccount(platform, reconcileAccount)
}

/** Without its schedule, Stripe would charge installments for ever. */
function schedule(platform: Platform): Promise<void> {
  return forEachAccount(platform, (ctx) => syncSubscriptions(ctx, { onlyUnscheduled: true }))
}

async function forEachAccount(platform: Platform, work: (ctx: Ctx) => Promise<void>): Promise<void> {
  if (!platform.config.stripe) return
  await forEachCoach(platform, async ({ id, removedAt }) => {
    const ctx = removedAt ? null : await loadCoachContext(platform, id, 'stripe')
    if (ctx && (await findAccount(ctx))?.accountId) await work(ctx)
  })
}
