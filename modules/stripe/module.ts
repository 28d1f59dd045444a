import { assertMergeUndo } from '#modules/crm/index.ts'
import {
  invoiceUpdated,
  invoiceVoided,
  offerSubscription,
  beginSubscription,
  paymentReceived,
  paymentRefunded,
  saleWithdrawn,
  sendRefund,
} from '#modules/billing/index.ts'
import { subscribe } from '../core/events.ts'
import { assertCurrency, implementHook } from '../core/hooks.ts'
import { defineModule } from '../core/manifest.ts'
import { contributions } from './contributions.ts'
import { jobs } from './jobs.ts'
import { assertNotCharged } from './subscriptions/merge-undo.ts'
import { migrations } from './migrations.ts'
import { operations as planOperations } from './plan/api.ts'
import { PlanSubscription } from './plan/schema.ts'
import { permissions } from './permissions.ts'
import { practiceExport } from './practice-export.ts'
import {
  StripeAccount,
  StripeCheckout,
  StripeCustomer,
  StripeDifference,
  StripeDispute,
  StripeEvent,
  StripeRefund,
} from './schema.ts'
import { closeOutdated, closeSalePages } from './services/checkout.ts'
import { planRefund } from './services/plan-refunds.ts'
import { requestPlanSync } from './services/queue.ts'
import { operations as subscriptionOperations } from './subscriptions/api.ts'
import { getSubscriptionPath } from './subscriptions/link.ts'
import { assertSubscriptionCurrency, createSubscription, startSubscription } from './subscriptions/offer.ts'
import { recordKinds } from './subscriptions/record-kind.ts'
import { search } from './subscriptions/search.ts'
import { StripeCharge, StripeSubscription } from './subscriptions/schema.ts'

const id = 'stripe'
/** They change what is left to pay. */
const balanceEvents = [paymentReceived, paymentRefunded, invoiceUpdated, invoiceVoided]

export default defineModule({
  id,
  title: 'Card payments',
  dependsOn: ['crm', 'billing'],
  entities: [
    StripeAccount,
    StripeEvent,
    StripeCustomer,
    StripeCheckout,
    StripeRefund,
    StripeDispute,
    StripeDifference,
    StripeSubscription,
    StripeCharge,
    PlanSubscription,
  ],
  migrations,
  closeAccount: requestPlanSync,
  permissions,
  operations: [...planOperations, ...subscriptionOperations],
  routes: [
    { path: 'settings/payments', file: 'routes/stripe-settings.tsx' },
    { path: 'invoice/:token/pay', file: 'routes/pay-invoice.ts', layout: 'resource' },
    { path: 'invoice/:token/paid', file: 'routes/invoice-paid.ts', layout: 'resource' },
    { path: 'payments/subscriptions', file: 'routes/subscriptions.tsx' },
    {
      path: 'payments/subscriptions/export',
      file: 'routes/subscriptions-export.ts',
      layout: 'resource',
      isPrivate: true,
    },
    { path: 'subscribe/:token', file: 'routes/subscribe.tsx', layout: 'public' },
    { path: 'subscribe/:token/pay', file: 'routes/pay-subscription.ts', layout: 'resource' },
    { path: 'subscribe/:token/paid', file: 'routes/subscription-paid.ts', layout: 'resource' },
    { path: 'sale/:token/pay', file: 'product-checkout/pay-sale.ts', layout: 'resource' },
    { path: 'sale/:token/paid', file: 'product-checkout/sale-paid.ts', layout: 'resource' },
    { path: 'upgrade/pay', file: 'routes/pay-plan.ts', layout: 'resource', ofPlan: true },
    { path: 'upgrade/return', file: 'routes/plan-return.ts', layout: 'resource', ofPlan: true },
    { path: 'stripe/webhooks/:endpoint', file: 'routes/webhook.ts', layout: 'resource' },
  ],
  contributions,
  buyerPermissions: ['stripe:payment:write'],
  clientRecords: [
    { table: 'stripe_subscription', label: ['subscription', 'subscriptions'] },
    // The client at Stripe stays the one who has paid.
    { table: 'stripe_customer', onMerge: 'stay' },
  ],
  recordKinds,
  search,
  jobs,
  subscribers: [
    ...balanceEvents.map((event) =>
      subscribe(id, event, (ctx, { invoiceId }) => closeOutdated(ctx, invoiceId), { keepsData: true }),
    ),
    subscribe(id, saleWithdrawn, (ctx, { saleId }) => closeSalePages(ctx, saleId), { keepsData: true }),
  ],
  hooks: [
    implementHook(id, sendRefund, planRefund),
    implementHook(id, assertMergeUndo, assertNotCharged),
    implementHook(id, assertCurrency, assertSubscriptionCurrency),
    implementHook(id, offerSubscription, async (ctx, { onOffered, ...sale }) =>
      onOffered(getSubscriptionPath(ctx, await createSubscription(ctx, sale))),
    ),
    implementHook(id, beginSubscription, async (ctx, { onBegun, ...sale }) =>
      onBegun(`${getSubscriptionPath(ctx, await startSubscription(ctx, sale))}/pay`),
    ),
  ],
  practiceExport,
})
