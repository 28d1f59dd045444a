import type { ExportRule, ModuleExport } from '../core/manifest.ts'

const account = 'connect Stripe again'
/** Stripe alone knows how they go on, and only with the account of the platform that made them. */
const atStripe: ExportRule = { onlyToRead: 'they go on at Stripe' }

export const practiceExport: ModuleExport = {
  tables: {
    stripe_account: { leftOut: account },
    stripe_customer: { leftOut: account },
    stripe_event: { leftOut: 'messages of Stripe in progress' },
    stripe_checkout: { leftOut: 'payments in progress' },
    stripe_refund: atStripe,
    stripe_dispute: atStripe,
    stripe_difference: atStripe,
    stripe_subscription: { ...atStripe, without: ['session_id', 'session_url'] },
    stripe_charge: atStripe,
    plan_subscription: { leftOut: 'the subscription to the platform' },
  },
}
