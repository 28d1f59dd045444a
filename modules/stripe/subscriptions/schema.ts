import { defineEntity, p } from '@mikro-orm/core'
import { maxCents } from '#app/lib/money.ts'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { Invoice, Product } from '#modules/billing/index.ts'
import { Client } from '#modules/crm/index.ts'
import {
  chargeStates,
  frequencies,
  subscriptionKinds,
  subscriptionStates,
  type ChargeState,
  type Frequency,
  type SubscriptionKind,
  type SubscriptionState,
} from './states.ts'

/**
 * A product that a client pays in parts or again and again, by card. It stays in the books when client or product go.
 */
export const StripeSubscription = defineEntity({
  name: 'StripeSubscription',
  tableName: 'stripe_subscription',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'no action').nullable(),
    product: () => tenantReference(Product, 'product_id', 'no action').nullable(),
    productName: p.text(),
    /** A visitor who has begun and not paid yet: a client from then on. */
    buyerName: p.text().nullable(),
    buyerEmail: p.text().nullable(),
    /** The sessions that the product includes: of installments all at once, otherwise for each period. */
    sessionCount: p.integer().nullable(),
    kind: p.text().$type<SubscriptionKind>(),
    frequency: p.text().$type<Frequency>(),
    /** The number of installments. */
    parts: p.integer().nullable(),
    currency: p.text(),
    /** Cents: of all installments together, or of one period. */
    amount: p.bigint('number'),
    state: p.text().$type<SubscriptionState>().default('offered'),
    /** It ends with the period that is paid for. */
    cancelsAtPeriodEnd: p.boolean().default(false),
    nextChargeAt: p.datetime(3).nullable(),
    startedAt: p.datetime(3).nullable(),
    endedAt: p.datetime(3).nullable(),
    accountId: p.text().nullable(),
    /** The payment page that is open, and how many there were. */
    sessionId: p.text().nullable(),
    sessionUrl: p.text().nullable(),
    sessionExpiresAt: p.datetime(3).nullable(),
    sessions: p.integer().default(0),
    /** Stripe's ids; null until Stripe has created them. */
    subscriptionId: p.text().nullable(),
    scheduleId: p.text().nullable(),
    /** The parts that were left out while it was paused: so many are added at the end. */
    skippedParts: p.integer().default(0),
    /** How often Stripe was asked for it, and which response is stored: an older one is not. */
    syncs: p.integer().default(0),
    synced: p.integer().default(0),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('stripe_subscription_key', '(coach_id, subscription_id) where subscription_id is not null', {
      unique: true,
    }),
    sqlIndex('stripe_subscription_session', '(coach_id, session_id) where session_id is not null', { unique: true }),
    sqlIndex('stripe_subscription_newest', '(coach_id, created_at desc, id desc)'),
    sqlIndex('stripe_subscription_client', '(coach_id, client_id, created_at desc) where client_id is not null'),
  ],
  checks: [
    check(
      'stripe_subscription_buyer',
      '(buyer_name is null) = (buyer_email is null) and (buyer_email is null or client_id is null)',
    ),
    check('stripe_subscription_buyer_name_length', maxLength('buyer_name', 255)),
    check('stripe_subscription_buyer_email_length', maxLength('buyer_email', 254)),
    check('stripe_subscription_product_name_length', maxLength('product_name', 255)),
    check('stripe_subscription_session_count_range', 'session_count >= 1 and session_count <= 1000'),
    check('stripe_subscription_kind_allowed', allowedValues('kind', subscriptionKinds)),
    check('stripe_subscription_frequency_allowed', allowedValues('frequency', frequencies)),
    check('stripe_subscription_parts_range', 'parts >= 1 and parts <= 1000'),
    check('stripe_subscription_parts_present', `(kind = 'installment') = (parts is not null)`),
    check('stripe_subscription_currency_format', `currency ~ '^[a-z]{3}$'`),
    check('stripe_subscription_amount_range', `amount > 0 and amount <= ${maxCents}`),
    check('stripe_subscription_state_allowed', allowedValues('state', subscriptionStates)),
  ],
  ...tenantPolicy('stripe_subscription'),
})

/** An installment or a period that Stripe has charged, or has tried to. */
export const StripeCharge = defineEntity({
  name: 'StripeCharge',
  tableName: 'stripe_charge',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    subscription: () => tenantReference(StripeSubscription, 'subscription_row_id', 'cascade'),
    /** The id of Stripe's invoice. */
    chargeId: p.text(),
    /** From 1. */
    part: p.integer(),
    state: p.text().$type<ChargeState>(),
    /** Cents. */
    amount: p.bigint('number'),
    paymentIntentId: p.text().nullable(),
    /** Ours, once it is paid. */
    invoice: () => tenantReference(Invoice, 'invoice_id', 'cascade').nullable(),
    /** How often Stripe has tried, and for which attempt the client was written to. */
    attempts: p.integer().default(0),
    announcedAttempts: p.integer().default(0),
    /** Null: Stripe tries no more. */
    nextAttemptAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('stripe_charge_key', '(coach_id, charge_id)', { unique: true }),
    sqlIndex('stripe_charge_subscription', '(coach_id, subscription_row_id, part)'),
    sqlIndex('stripe_charge_invoice', '(coach_id, invoice_id) where invoice_id is not null'),
  ],
  checks: [
    check('stripe_charge_state_allowed', allowedValues('state', chargeStates)),
    check('stripe_charge_part_range', 'part >= 1'),
    check('stripe_charge_invoice_present', `(state = 'paid') >= (invoice_id is not null)`),
  ],
  ...tenantPolicy('stripe_charge'),
})
