import { randomBytes } from 'node:crypto'

// The objects that the product reads, with the properties that it reads. Amounts are in the currency's smallest unit,
// times in seconds.

export type Metadata = Record<string, string>
type Base<Name extends string> = { id: string; object: Name; created: number; livemode: false; metadata: Metadata }

export type Customer = Base<'customer'> & { email: string | null; name: string | null; deleted?: true }
export type Recurring = { interval: 'day' | 'week' | 'month' | 'year'; interval_count: number }
export type Price = Base<'price'> & {
  currency: string
  unit_amount: number
  product: string
  recurring: Recurring | null
}
export type Session = Base<'checkout.session'> & {
  mode: 'payment' | 'subscription' | 'setup'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid' | 'no_payment_required'
  url: string | null
  amount_total: number
  currency: string
  customer: string | null
  client_reference_id: string | null
  payment_intent: string | null
  subscription: string | null
  expires_at: number
  success_url: string
  cancel_url: string | null
}
export type Intent = Base<'payment_intent'> & {
  amount: number
  amount_received: number
  currency: string
  customer: string | null
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  latest_charge: string | null
  last_payment_error: { code: string; message: string } | null
}
export type Charge = Base<'charge'> & {
  amount: number
  amount_refunded: number
  currency: string
  customer: string | null
  disputed: boolean
  paid: boolean
  payment_intent: string
  payment_method_details: { type: 'card' | 'us_bank_account' }
  refunded: boolean
  status: 'succeeded' | 'pending' | 'failed'
}
export type Refund = Base<'refund'> & {
  amount: number
  currency: string
  charge: string
  payment_intent: string
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  failure_reason: string | null
}
export type Dispute = Base<'dispute'> & {
  amount: number
  currency: string
  charge: string
  payment_intent: string
  reason: string
  status:
    | `${'' | 'warning_' | 'appeal_'}${'needs_response' | 'under_review'}`
    | 'warning_closed'
    | 'prevented'
    | 'won'
    | 'lost'
  evidence_details: { due_by: number }
}
export type SubscriptionItem = {
  id: string
  object: 'subscription_item'
  price: Price
  quantity: number
  current_period_start: number
  current_period_end: number
}
export type Subscription = Base<'subscription'> & {
  customer: string
  currency: string
  status: 'active' | 'trialing' | 'past_due' | 'unpaid' | 'canceled' | 'incomplete' | 'incomplete_expired' | 'paused'
  items: { object: 'list'; data: SubscriptionItem[]; has_more: false; url: string }
  start_date: number
  billing_cycle_anchor: number
  trial_end: number | null
  cancel_at_period_end: boolean
  cancel_at: number | null
  canceled_at: number | null
  ended_at: number | null
  latest_invoice: string | null
  pause_collection: { behavior: string; resumes_at: number | null } | null
  schedule: string | null
}
export type Phase = { start_date: number; end_date: number; items: { price: string; quantity: number }[] }
export type Schedule = Base<'subscription_schedule'> & {
  subscription: string | null
  released_subscription: string | null
  customer: string
  status: 'active' | 'completed' | 'canceled' | 'released'
  end_behavior: 'cancel' | 'release'
  current_phase: { start_date: number; end_date: number } | null
  phases: Phase[]
}
export type Invoice = Base<'invoice'> & {
  customer: string
  currency: string
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  amount_due: number
  amount_paid: number
  amount_remaining: number
  total: number
  attempt_count: number
  next_payment_attempt: number | null
  auto_advance: boolean
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  hosted_invoice_url: string | null
  period_start: number
  period_end: number
  parent: { type: 'subscription_details'; subscription_details: { subscription: string; metadata: Metadata } }
  payments: {
    object: 'list'
    data: {
      id: string
      object: 'invoice_payment'
      status: 'open' | 'paid'
      payment: { type: 'payment_intent'; payment_intent: string }
    }[]
    has_more: false
    url: string
  }
  status_transitions: { paid_at: number | null }
}
export type PortalSession = Base<'billing_portal.session'> & {
  customer: string
  return_url: string | null
  url: string
  /** The only thing that the page offers; null: everything. */
  flow: PortalFlow | null
}
export type PortalFlow =
  | { type: 'subscription_cancel'; subscription_cancel: { subscription: string } }
  | {
      type: 'subscription_update_confirm'
      subscription_update_confirm: { subscription: string; items: { id: string; price: string; quantity: number }[] }
    }

export type StripeObject =
  | Customer
  | Price
  | Session
  | Intent
  | Charge
  | Refund
  | Dispute
  | Subscription
  | Schedule
  | Invoice
  | PortalSession

export type StripeEvent = {
  id: string
  object: 'event'
  account?: string
  api_version: string
  created: number
  data: { object: StripeObject | { id: string; object: 'application' } }
  livemode: false
  pending_webhooks: number
  request: null
  type: string
}

/** A connected account as v2 shows it. */
export type MerchantAccount = {
  id: string
  object: 'v2.core.account'
  created: string
  livemode: false
  applied_configurations: string[]
  contact_email: string
  display_name: string
  dashboard: string
  closed: boolean
  identity: { country: string }
  defaults: { currency: string; responsibilities: { fees_collector: string; losses_collector: string } }
  configuration: {
    merchant: {
      applied: boolean
      capabilities: {
        card_payments: {
          status: 'active' | 'pending' | 'restricted' | 'unsupported'
          status_details: { code: string; resolution: string }[]
        }
      }
    }
  }
  requirements: {
    entries: { description: string; awaiting_action_from: 'user' | 'stripe' }[]
    summary?: { minimum_deadline: { status: 'currently_due' | 'past_due' | 'eventually_due' } }
  }
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`

/**
 * `count` intervals after `anchor`, in whole months where they are months: the 31st becomes the last of a short month.
 */
export function addIntervals(anchor: number, { interval, interval_count }: Recurring, count: number): number {
  const steps = interval_count * count
  const date = new Date(anchor * 1000)
  if (interval === 'day' || interval === 'week') return anchor + steps * (interval === 'day' ? 1 : 7) * 86_400
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + steps * (interval === 'year' ? 12 : 1))
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime() / 1000
}
