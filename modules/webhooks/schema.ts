import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, lengthChecks, sqlIndex, tenantReference } from '#db/columns.ts'
import { lookupPolicy } from '#db/policies.ts'
import { deliveryStates, type DeliveryState } from './fields.ts'

/** An address of another program, and the events that are sent to it. */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    url: p.text(),
    events: p.array().$type<string[]>(),
    /** Encrypted: it signs what is sent. */
    secret: p.text(),
    /** Since the first of the failures without a success in between. */
    failingSince: p.datetime(3).nullable(),
    lastSuccessAt: p.datetime(3).nullable(),
    /** By the coach, or after days of failures. */
    disabledAt: p.datetime(3).nullable(),
    ...columns.timestamps,
  },
  checks: lengthChecks('webhook_endpoint', 2000, ['url']),
  ...lookupPolicy('webhook_endpoint'),
})
export type WebhookEndpointRow = InferEntity<typeof WebhookEndpoint>

/** An event that is sent to an endpoint, until it arrives. The log for the coach. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    endpoint: () => tenantReference(WebhookEndpoint, 'endpoint_id', 'cascade'),
    /** The same for all attempts: the receiver recognizes repetitions by it. */
    messageId: p.text(),
    event: p.text(),
    /** The JSON that is sent and signed. It names records by their ids. */
    body: p.text(),
    state: p.text().$type<DeliveryState>().default('pending'),
    attempts: p.integer().default(0),
    /** The last HTTP status; null without a response. */
    responseStatus: p.integer().nullable(),
    /** The beginning of the last response. */
    response: p.text().nullable(),
    /** Why the last attempt failed, for the coach. */
    problem: p.text().nullable(),
    createdAt: p.datetime(3),
    attemptedAt: p.datetime(3).nullable(),
    nextAttemptAt: p.datetime(3).nullable(),
    /** While a request is on its way; past if its process has crashed. */
    claimedUntil: p.datetime(3).nullable(),
  },
  indexes: [
    sqlIndex('webhook_delivery_newest', '(coach_id, endpoint_id, id desc)'),
    sqlIndex('webhook_delivery_time', '(coach_id, created_at)'),
    // For administrators, who see those of all coaches.
    sqlIndex('webhook_delivery_states', '(state, id desc)'),
    sqlIndex('webhook_delivery_coach_states', '(coach_id, state, id desc)'),
  ],
  checks: [
    check('webhook_delivery_state_allowed', allowedValues('state', deliveryStates)),
    ...lengthChecks('webhook_delivery', 100, ['message_id', 'event']),
    ...lengthChecks('webhook_delivery', 50_000, ['body']),
    ...lengthChecks('webhook_delivery', 500, ['response', 'problem']),
  ],
  ...lookupPolicy('webhook_delivery'),
})
