import { defineEntity, p } from '@mikro-orm/core'
import { check, columns, lengthChecks, sqlIndex, tenantReference } from '#db/columns.ts'
import { currentClient, tenantPolicy } from '#db/policies.ts'
import { Client } from '#modules/crm/index.ts'

/** A link that was emailed to a client and signs them in once. */
export const PortalLink = defineEntity({
  name: 'PortalLink',
  tableName: 'portal_link',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    /** The address that it was sent to: worthless once the client has another one. */
    email: p.text(),
    tokenHash: p.blob(),
    /** The coach's host that it leads to, and works on. */
    host: p.text(),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('portal_link_token', '(coach_id, token_hash)', { unique: true }),
    sqlIndex('portal_link_client', '(coach_id, client_id)'),
  ],
  checks: [...lengthChecks('portal_link', 254, ['email']), ...lengthChecks('portal_link', 255, ['host'])],
  ...tenantPolicy('portal_link'),
})

/** A browser in which a client is signed in to the portal. */
export const PortalSession = defineEntity({
  name: 'PortalSession',
  tableName: 'portal_session',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    /** The address that the client proved: the session ends when the coach gives them another one. */
    email: p.text(),
    /** The coach's own domain, if they signed in there: the session is valid there alone. Null: at the subdomain. */
    domain: p.text().nullable().default(''),
    tokenHash: p.blob(),
    userAgent: p.text().nullable(),
    ipAddress: p.text().nullable(),
    createdAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('portal_session_token', '(coach_id, token_hash)', { unique: true }),
    sqlIndex('portal_session_client', '(coach_id, client_id)'),
  ],
  checks: [
    ...lengthChecks('portal_session', 254, ['email']),
    ...lengthChecks('portal_session', 253, ['domain']),
    ...lengthChecks('portal_session', 400, ['user_agent']),
    ...lengthChecks('portal_session', 45, ['ip_address']),
    check('portal_session_end', 'expires_at > created_at'),
  ],
  ...tenantPolicy('portal_session'),
})

/** A WebAuthn credential with which a client signs in to the portal. */
export const PortalPasskey = defineEntity({
  name: 'PortalPasskey',
  tableName: 'portal_passkey',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade'),
    /** The address that the client had proved: it signs in only while the coach gives them no other one. */
    email: p.text(),
    /** The coach's host that it belongs to. */
    host: p.text(),
    name: p.text(),
    credentialId: p.blob(),
    publicKey: p.blob(),
    signCount: p.bigint('number'),
    transports: p.array().columnType('text[]'),
    /** The end of the last challenge that it signed in with: those that don't end later were used. */
    challengeExpiresAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
    /** Clients delete nothing themselves: the job does, a day later. */
    removedAt: p.datetime(3).nullable(),
  },
  indexes: [
    sqlIndex('portal_passkey_credential', '(coach_id, credential_id)', { unique: true }),
    sqlIndex('portal_passkey_client', '(coach_id, client_id)'),
  ],
  checks: [
    ...lengthChecks('portal_passkey', 254, ['email']),
    ...lengthChecks('portal_passkey', 255, ['host']),
    ...lengthChecks('portal_passkey', 60, ['name']),
    check(
      'portal_passkey_size',
      'octet_length(credential_id) <= 1023 and octet_length(public_key) <= 2048 and cardinality(transports) <= 10',
    ),
  ],
  ...tenantPolicy('portal_passkey', { clients: { rows: `client_id = ${currentClient}`, writes: true } }),
})
