import { defineEntity, p } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex } from '#db/columns.ts'
import { lookupPolicy, tenantPolicy } from '#db/policies.ts'
import { cardPaymentStates, type CardPaymentState } from './states.ts'

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
    /** Until when all events of the account are known. */
    reconciledAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('stripe_account_coach', '(coach_id)', { unique: true }),
    sqlIndex('stripe_account_key', '(coach_id, account_id)', { unique: true }),
    sqlIndex('stripe_account_lookup', '(account_id)'),
  ],
  checks: [
    check('stripe_account_card_payments_allowed', allowedValues('card_payments', cardPaymentStates)),
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
