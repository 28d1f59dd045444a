import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import type { Ctx } from '#tenants/context.ts'
import { getSubscriptionUrl } from './link.ts'
import type { Subscription } from './queries.ts'
import { chargeStates, frequencies, subscriptionKinds, subscriptionStates } from './states.ts'

const cents = z.int().describe('Cents')

/** A subscription as the API shows it. */
export const SubscriptionOut = z.object({
  id: z.int(),
  coachId: z.int(),
  clientId: z.int().nullable(),
  productId: z.int().nullable(),
  productName: z.string(),
  sessionCount: z
    .int()
    .nullable()
    .describe('The sessions that it includes: of installments all at once, else each period'),
  paymentType: z.enum(subscriptionKinds),
  billingFrequency: z.enum(frequencies),
  installmentCount: z.int().nullable(),
  amount: z.int().describe('Of all installments together, or of one period, in cents'),
  currency: z.string(),
  status: z.enum(subscriptionStates),
  cancelsAtPeriodEnd: z.boolean(),
  paidCount: z.int().describe('The installments or periods that are paid'),
  paidAmount: cents,
  nextChargeAt: z.iso.datetime().nullable(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  url: z.url().nullable().describe("The client's page, while it is offered and the coach has a web address"),
  createdAt: z.iso.datetime(),
})
export type SubscriptionRecord = z.output<typeof SubscriptionOut>

/** A charge at Stripe for an installment or a period, or the attempt. */
export const ChargeOut = z.object({
  id: z.int(),
  coachId: z.int(),
  subscriptionId: z.int(),
  clientId: z.int().nullable(),
  number: z.int().describe('Of the installment or period, from 1'),
  amount: cents,
  currency: z.string(),
  status: z.enum(chargeStates),
  invoiceId: z.int().nullable().describe('The invoice that it has paid'),
  stripePaymentIntentId: z.string().nullable(),
  attempts: z.int().describe('How often Stripe has tried'),
  nextAttemptAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type ChargeRecord = z.output<typeof ChargeOut>

export function toSubscriptionRecord(ctx: Ctx, subscription: Subscription): SubscriptionRecord {
  const { id, state } = subscription
  return {
    id,
    coachId: ctx.coachId,
    clientId: subscription.clientId,
    productId: subscription.productId,
    productName: subscription.productName,
    sessionCount: subscription.sessionCount,
    paymentType: subscription.kind,
    billingFrequency: subscription.frequency,
    installmentCount: subscription.parts,
    amount: subscription.amount,
    currency: subscription.currency,
    status: state,
    cancelsAtPeriodEnd: subscription.cancelsAtPeriodEnd,
    paidCount: subscription.paidParts,
    paidAmount: subscription.paidAmount,
    nextChargeAt: subscription.nextChargeAt,
    startedAt: subscription.startedAt,
    endedAt: subscription.endedAt,
    url: state === 'offered' ? getSubscriptionUrl(ctx, id) : null,
    createdAt: subscription.createdAt,
  }
}

/** Selects a ChargeRecord from `stripe_charge charge` and its subscription `s`. */
export const chargeSelect = `charge.id, charge.coach_id as "coachId", s.id as "subscriptionId", s.client_id as "clientId",
  charge.part as number, charge.amount, s.currency, charge.state as status, charge.invoice_id as "invoiceId",
  charge.payment_intent_id as "stripePaymentIntentId", charge.attempts, ${isoTimestamp('charge.next_attempt_at')} as "nextAttemptAt",
  ${isoTimestamp('charge.created_at')} as "createdAt"`
