import type { RecordKind } from '#modules/core/manifest.ts'
import { frequencyLabels, kindLabels, stateLabels } from './states.ts'

/** A subscription is never deleted: it has a history only. */
export const recordKinds: RecordKind[] = [
  {
    kind: 'stripe_subscription',
    label: 'Subscription',
    permission: { read: 'stripe:subscription:read', write: 'stripe:subscription:write' },
    title: 'r.product_name',
    to: `'/payments/subscriptions?dialog=subscription&subscription=' || r.id`,
    fields: {
      product_name: 'Product name',
      client_id: { label: 'Client', of: 'client' },
      product_id: { label: 'Product', of: 'product' },
      kind: { label: 'Kind', valueLabels: kindLabels },
      frequency: { label: 'Frequency', valueLabels: frequencyLabels },
      parts: 'Installments',
      currency: 'Currency',
      amount: { label: 'Amount', as: 'cents' },
      state: { label: 'State', valueLabels: stateLabels },
      cancels_at_period_end: { label: 'End', valueLabels: { true: 'With the period', false: 'Open' } },
      started_at: { label: 'Started', as: 'time' },
      ended_at: { label: 'Ended', as: 'time' },
    },
  },
]
