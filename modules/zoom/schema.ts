import { defineEntity, p } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { lookupPolicy, tenantPolicy } from '#db/policies.ts'
import { connectionStates, type ConnectionState } from './states.ts'

/** A coach's connection with a Zoom account, one for each coach, and how it works. */
export const ZoomConnection = defineEntity({
  name: 'ZoomConnection',
  tableName: 'zoom_connection',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** Zoom's id of the user. */
    userId: p.text(),
    email: p.text(),
    state: p.text().$type<ConnectionState>().default('connected'),
    lastSuccessAt: p.datetime(3).nullable(),
    /** Since the first of the failures without a success in between. */
    failingSince: p.datetime(3).nullable(),
    failures: p.integer().default(0),
    /** Zoom's reason for the last failure. */
    lastError: p.text().nullable(),
    nextTryAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('zoom_connection_coach', '(coach_id)', { unique: true }),
    sqlIndex('zoom_connection_user', '(user_id)'),
  ],
  checks: [
    check('zoom_connection_state_allowed', allowedValues('state', connectionStates)),
    check('zoom_connection_user_id_length', maxLength('user_id', 255)),
    check('zoom_connection_email_length', maxLength('email', 254)),
    check('zoom_connection_last_error_length', maxLength('last_error', 255)),
  ],
  ...lookupPolicy('zoom_connection'),
})

/** The encrypted tokens of a connection: no record, no export and no history has them. */
export const ZoomToken = defineEntity({
  name: 'ZoomToken',
  tableName: 'zoom_token',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    connection: () => tenantReference(ZoomConnection, 'connection_id', 'cascade'),
    refreshToken: p.text(),
    accessToken: p.text(),
    accessTokenExpiresAt: p.datetime(3),
  },
  indexes: [sqlIndex('zoom_token_coach', '(coach_id)', { unique: true })],
  ...tenantPolicy('zoom_token'),
})

/** A coach who was sent to Zoom and has not come back. */
export const ZoomConnectAttempt = defineEntity({
  name: 'ZoomConnectAttempt',
  tableName: 'zoom_connect_attempt',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    stateHash: p.blob(),
    /** Encrypted; it proves that the same server asked for the code. */
    codeVerifier: p.text(),
    expiresAt: p.datetime(3),
  },
  indexes: [sqlIndex('zoom_connect_attempt_state', '(coach_id, state_hash)', { unique: true })],
  ...tenantPolicy('zoom_connect_attempt'),
})

/** An event of Zoom's webhook, without its content: the job asks Zoom for the present state. */
export const ZoomEvent = defineEntity({
  name: 'ZoomEvent',
  tableName: 'zoom_event',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** SHA-256 of the body: Zoom repeats events, and gives them no id. */
    bodyHash: p.blob(),
    type: p.text(),
    createdAt: p.datetime(3),
    appliedAt: p.datetime(3).nullable(),
  },
  indexes: [
    sqlIndex('zoom_event_key', '(coach_id, body_hash)', { unique: true }),
    sqlIndex('zoom_event_time', '(coach_id, created_at)'),
  ],
  checks: [check('zoom_event_type_length', maxLength('type', 255))],
  ...tenantPolicy('zoom_event'),
})
