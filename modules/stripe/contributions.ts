import { getInvoice, type OnlinePayment } from '#modules/billing/index.ts'
import type { Contribution, OnboardingPart } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { listCountries } from './countries.ts'
import { listNotices } from './notices.ts'
import { findAccount, findReadyAccount, getAccountState } from './queries/account.ts'
import { listDifferences } from './queries/differences.ts'
import { listCheckouts } from './services/checkout.ts'
import { getPlanPayment, listSubscriptionFacts } from './plan/payment.ts'
import { describeEnd, describeHealth, stateTexts } from './status.ts'
import { canPaySale, getSalePayment, listPayingSales } from './product-checkout/sale-payment.ts'
import { getPaymentPlan } from './subscriptions/plan.ts'
import { getClientCard } from './subscriptions/loader.server.ts'
import { listSubscriptionTimeline } from './subscriptions/timeline.ts'
import { isChargeable } from './vendor/amounts.ts'

const permission = 'stripe:account:write'

export const contributions: Contribution[] = [
  { slot: 'settings.pane', widget: 'stripe-account', order: 30, permission, load: getAccountCard },
  { slot: 'onboarding.payment', widget: 'stripe-account', order: 10, permission, load: getOnboardingPart },
  { slot: 'invoice.payment', order: 10, load: (ctx, params) => getOnlinePayment(ctx, params) },
  { slot: 'sale.available', order: 10, load: (ctx, { amount }) => canPaySale(ctx, Number(amount)) },
  { slot: 'sale.plan', order: 10, load: (ctx, { id }) => getPaymentPlan(ctx, Number(id)) },
  { slot: 'sale.payment', order: 10, load: getSalePayment },
  { slot: 'sale.paying', order: 10, load: listPayingSales },
  { slot: 'invoice.notice', order: 10, permission, load: (ctx, { id }) => listNotices(ctx, Number(id)) },
  {
    slot: 'client.card',
    widget: 'client-subscriptions',
    order: 16,
    permission: 'stripe:subscription:read',
    load: (ctx, { id }) => getClientCard(ctx, Number(id)),
  },
  {
    slot: 'client.timeline',
    order: 22,
    permission: 'stripe:subscription:read',
    load: (ctx, { id, rows = '50' }) => listSubscriptionTimeline(ctx, Number(id), Number(rows)),
  },
  {
    slot: 'payments.link',
    order: 30,
    permission: 'stripe:subscription:read',
    load: async () => ({ label: 'Subscriptions', to: '/payments/subscriptions' }),
  },
  { slot: 'upgrade.payment', order: 10, permission: 'stripe:plan:read', ofPlan: true, load: getPlanPayment },
  { slot: 'admin.coach', order: 10, ofPlan: true, load: (ctx, { id }) => listSubscriptionFacts(ctx, Number(id)) },
]

/** Null unless the client can pay this invoice by card now. */
export async function getOnlinePayment(
  ctx: Ctx,
  { id, token }: Record<string, string | undefined>,
): Promise<OnlinePayment | null> {
  if (!(await findReadyAccount(ctx))) return null
  const isOnItsWay = (await listCheckouts(ctx, Number(id))).some(({ state }) => state === 'processing')
  if (isOnItsWay) return { action: null }
  const { balance, currency } = await getInvoice(ctx, Number(id))
  return isChargeable(balance, currency) ? { action: `/invoice/${token}/pay` } : null
}

async function getOnboardingPart(ctx: Ctx): Promise<AccountCard & OnboardingPart> {
  const card = await getAccountCard(ctx)
  return { ...card, isOnboarding: true, done: card.state === 'ready' }
}

/** The state of the connection with Stripe. */
export async function getAccountCard(ctx: Ctx) {
  const [account, differences] = await Promise.all([findAccount(ctx), listDifferences(ctx)])
  const state = getAccountState(ctx, account)
  return {
    state,
    status: state === 'unavailable' || state === 'not_connected' ? null : stateTexts[state],
    /** When it was last reached, and why it can't be. */
    health: account?.accountId && !account.disconnectedAt ? describeHealth(account, ctx.account) : null,
    /** Stripe has ended the connection: a sentence. */
    ended: account?.endedAt ? describeEnd(account.endedAt, ctx.account) : null,
    /** Whether the platform hears of payments at once. */
    isNotified: Boolean(ctx.platform.config.stripe?.connectWebhookSecret),
    isKnown: Boolean(account?.accountId),
    differences,
    /** Whether its forms lead back to the onboarding. */
    isOnboarding: false,
    countries: state === 'not_connected' && !account?.accountId ? listCountries() : [],
  }
}
export type AccountCard = Awaited<ReturnType<typeof getAccountCard>>
