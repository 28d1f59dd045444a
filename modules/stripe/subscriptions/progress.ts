import type { Stripe } from 'stripe'
import { fromMinorUnits } from '../vendor/amounts.ts'
import type { SubscriptionState } from './states.ts'

/** What Stripe has charged for an installment or a period, or tries to. Amounts in cents. */
export type Charge = {
  id: string
  /** From 1. */
  part: number
  /** Whether it is one of the installments or periods; otherwise something that was charged in between. */
  isPart: boolean
  status: 'draft' | 'open' | 'paid' | 'void'
  amount: number
  paymentIntentId: string | null
  paidAt: Date | null
  attempts: number
  nextAttemptAt: Date | null
  createdAt: Date
}

const partReasons = ['subscription_create', 'subscription_cycle', 'subscription']

export const toId = (value: string | { id: string } | null | undefined): string | null =>
  (typeof value === 'string' ? value : value?.id) ?? null

const toDate = (seconds: number | null | undefined): Date | null => (seconds ? new Date(seconds * 1000) : null)

/**
 * The charges of a subscription from its invoices at Stripe, which come newest first. Parts that nobody pays don't
 * count.
 */
export function toCharges(invoices: Stripe.Invoice[]): Charge[] {
  let parts = 0
  return invoices
    .toSorted((a, b) => a.created - b.created)
    .map((invoice) => {
      const isPart = partReasons.includes(invoice.billing_reason ?? '')
      const isVoid = invoice.status === 'void' || invoice.status === 'uncollectible'
      if (isPart && !isVoid) parts += 1
      const payments = invoice.payments?.data ?? []
      const payment = (payments.find(({ status }) => status === 'paid') ?? payments[0])?.payment
      return {
        id: invoice.id!,
        part: Math.max(parts, 1),
        isPart,
        status: isVoid ? 'void' : invoice.status === 'paid' ? 'paid' : invoice.status === 'open' ? 'open' : 'draft',
        amount: fromMinorUnits(invoice.status === 'paid' ? invoice.amount_paid : invoice.amount_due, invoice.currency),
        paymentIntentId: toId(payment?.payment_intent),
        paidAt: toDate(invoice.status_transitions.paid_at),
        attempts: invoice.attempt_count,
        nextAttemptAt: toDate(invoice.next_payment_attempt),
        createdAt: new Date(invoice.created * 1000),
      }
    })
}

/** Those that count as one of `parts`, and those that were charged by mistake after all of them. */
export function separateExcess(charges: Charge[], parts: number | null): { own: Charge[]; excess: Charge[] } {
  const isExcess = ({ isPart, part, status }: Charge) => parts !== null && isPart && part > parts && status !== 'void'
  return { own: charges.filter((charge) => !isExcess(charge)), excess: charges.filter(isExcess) }
}

export const isEnded = ({ status }: Pick<Stripe.Subscription, 'status'>): boolean =>
  status === 'canceled' || status === 'incomplete_expired'

type Known = Pick<Stripe.Subscription, 'status' | 'pause_collection'>

/** `parts`: the number of installments. */
export function toState(subscription: Known, charges: Charge[], parts: number | null): SubscriptionState {
  const paid = charges.filter(({ isPart, status }) => isPart && status === 'paid').length
  if (parts !== null && paid >= parts) return 'completed'
  if (isEnded(subscription)) return 'cancelled'
  if (subscription.status === 'incomplete') return 'offered'
  if (subscription.pause_collection || subscription.status === 'paused') return 'paused'
  const failed = charges.filter(isFailed)
  if (subscription.status === 'unpaid' || (failed.length && failed.every((one) => one.nextAttemptAt === null)))
    return 'unpaid'
  return failed.length || subscription.status === 'past_due' ? 'past_due' : 'active'
}

export const isFailed = ({ status, attempts }: Charge): boolean => status === 'open' && attempts > 0

/** When Stripe charges the next part; null if it doesn't. */
export function getNextCharge(subscription: Stripe.Subscription, charges: Charge[], parts: number | null): Date | null {
  const begun = charges.filter(({ isPart, status }) => isPart && status !== 'void').length
  if (isEnded(subscription) || subscription.cancel_at_period_end || subscription.pause_collection) return null
  if (parts !== null && begun >= parts) return null
  return toDate(subscription.items.data[0]?.current_period_end)
}
