import { defineEntity, p } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { lookupPolicy, tenantPolicy } from '#db/policies.ts'
import { Invoice, refundSources, Sale, type RefundSource } from '#modules/billing/index.ts'
import { Client } from '#modules/crm/index.ts'
import {
  accountErrors,
  cardPaymentStates,
  checkoutStates,
  refundStates,
  type AccountError,
  type CardPaymentState,
  type CheckoutState,
  type RefundState,
} from './states.ts'

/** A coach's account at Stripe, and its state when it was last asked for; one row for each coach. */
export const StripeAccount = defineEntity({
  name: 'StripeAccount',
  tableName: 'stripe_account',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** Stripe's id; null until Stripe has created it. */
    accountId: p.text().nullable(),
    cardPayments: p.text().$type<CardPaymentState>().default('restricted'),
    /** Whether Stripe waits for something from the coach. */
    needsAction: p.boolean().default(true),
    /** When the coach stopped taking payments with it. */
    disconnectedAt: p.datetime(3).nullable(),
    syncedAt: p.datetime(3).nullable(),
    /** All events of the account until then are known. */
    reconciledAt: p.datetime(3).nullable(),
    /** The time since which Stripe can't be asked about the account, with the reason. */
    failingSince: p.datetime(3).nullable(),
    lastError: p.text().$type<AccountError>().nullable(),
    /** When Stripe ended the connection before, of a row without an account. */
    endedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('stripe_account_coach', '(coach_id)', { unique: true }),
    sqlIndex('stripe_account_key', '(coach_id, account_id)', { unique: true }),
    sqlIndex('stripe_account_lookup', '(account_id)'),
  ],
  checks: [
    check('stripe_account_card_payments_allowed', allowedValues('card_payments', cardPaymentStates)),
    check('stripe_account_last_error_allowed', allowedValues('last_error', accountErrors)),
    check('stripe_account_failing', '(failing_since is null) = (last_error is null)'),
    check('stripe_account_account_id_length', maxLength('account_id', 255)),
  ],
  ...lookupPolicy('stripe_account'),
})

/** An event that Stripe has reported: each is applied once. Its content is not stored, because it may be old. */
export const StripeEvent = defineEntity({
  name: 'StripeEvent',
  tableName: 'stripe_event',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** Null: the platform's own account. */
    accountId: p.text().nullable(),
    eventId: p.text(),
    type: p.text(),
    /** The id of the object that changed. */
    objectId: p.text(),
    createdAt: p.datetime(3),
    appliedAt: p.datetime(3).nullable(),
  },
  indexes: [
    sqlIndex('stripe_event_key', `(coach_id, coalesce(account_id, ''), event_id)`, { unique: true }),
    sqlIndex('stripe_event_time', '(coach_id, created_at)'),
  ],
  checks: [
    check('stripe_event_account_id_length', maxLength('account_id', 255)),
    check('stripe_event_event_id_length', maxLength('event_id', 255)),
    check('stripe_event_type_length', maxLength('type', 255)),
    check('stripe_event_object_id_length', maxLength('object_id', 255)),
  ],
  ...tenantPolicy('stripe_event'),
})

/** A client as a customer of the coach's account. */
export const StripeCustomer = defineEntity({
  name: 'StripeCustomer',
  tableName: 'stripe_customer',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    accountId: p.text(),
    customerId: p.text(),
  },
  indexes: [sqlIndex('stripe_customer_key', '(coach_id, client_id, account_id)', { unique: true })],
  ...tenantPolicy('stripe_customer'),
})

/** A payment page of an invoice or a sale; at most one is open for each. */
export const StripeCheckout = defineEntity({
  name: 'StripeCheckout',
  tableName: 'stripe_checkout',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** The invoice of a sale once it is paid. */
    invoice: () => tenantReference(Invoice, 'invoice_id', 'cascade').nullable(),
    sale: () => tenantReference(Sale, 'sale_id', 'cascade').nullable(),
    accountId: p.text(),
    state: p.text().$type<CheckoutState>().default('open'),
    /** Cents. */
    amount: p.bigint('number'),
    /** Null until Stripe has created it. */
    sessionId: p.text().nullable(),
    url: p.text().nullable(),
    expiresAt: p.datetime(3),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('stripe_checkout_open', "(coach_id, invoice_id) where state = 'open'", { unique: true }),
    sqlIndex('stripe_checkout_invoice', '(coach_id, invoice_id)'),
    sqlIndex('stripe_checkout_open_sale', "(coach_id, sale_id) where state = 'open'", { unique: true }),
    sqlIndex('stripe_checkout_sale', '(coach_id, sale_id) where sale_id is not null'),
    sqlIndex('stripe_checkout_session', '(coach_id, session_id) where session_id is not null', { unique: true }),
  ],
  checks: [
    check('stripe_checkout_state_allowed', allowedValues('state', checkoutStates)),
    check('stripe_checkout_payable_present', 'num_nonnulls(invoice_id, sale_id) >= 1'),
  ],
  ...tenantPolicy('stripe_checkout'),
})

/** Money of a card payment that goes back, by the coach's wish here or in Stripe's Dashboard. */
export const StripeRefund = defineEntity({
  name: 'StripeRefund',
  tableName: 'stripe_refund',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    invoice: () => tenantReference(Invoice, 'invoice_id', 'cascade'),
    accountId: p.text(),
    paymentIntentId: p.text(),
    /** Stripe's id; null until Stripe has created it. */
    refundId: p.text().nullable(),
    /** Cents. */
    amount: p.bigint('number'),
    state: p.text().$type<RefundState>().default('pending'),
    source: p.text().$type<RefundSource>(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('stripe_refund_key', '(coach_id, refund_id) where refund_id is not null', { unique: true }),
    sqlIndex('stripe_refund_invoice', '(coach_id, invoice_id)'),
    sqlIndex('stripe_refund_payment', '(coach_id, payment_intent_id)'),
  ],
  checks: [
    check('stripe_refund_state_allowed', allowedValues('state', refundStates)),
    check('stripe_refund_source_allowed', allowedValues('source', refundSources)),
  ],
  ...tenantPolicy('stripe_refund'),
})

/** A payment that the client's bank wants back. */
export const StripeDispute = defineEntity({
  name: 'StripeDispute',
  tableName: 'stripe_dispute',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    invoice: () => tenantReference(Invoice, 'invoice_id', 'cascade'),
    disputeId: p.text(),
    /** Stripe's own: `needs_response`, `under_review`, `won`, `lost` and others. */
    status: p.text(),
    /** Cents. */
    amount: p.bigint('number'),
    answerBy: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('stripe_dispute_key', '(coach_id, dispute_id)', { unique: true }),
    sqlIndex('stripe_dispute_invoice', '(coach_id, invoice_id)'),
  ],
  ...tenantPolicy('stripe_dispute'),
})

/** A payment that Stripe and the ledger counted differently when they were last compared. Amounts in cents. */
export const StripeDifference = defineEntity({
  name: 'StripeDifference',
  tableName: 'stripe_difference',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    paymentIntentId: p.text(),
    stripeAmount: p.bigint('number'),
    bookedAmount: p.bigint('number'),
    foundAt: p.datetime(3),
  },
  ...tenantPolicy('stripe_difference'),
})
