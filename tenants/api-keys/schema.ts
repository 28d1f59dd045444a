import { defineEntity, p } from '@mikro-orm/core'
import { check, columns, lengthChecks } from '#db/columns.ts'
import { lookupPolicy } from '#db/policies.ts'

/** A key with which another program calls the API in the coach's name. Only its hash is stored. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    tokenHash: p.blob(),
    /** Its last characters, by which the coach recognizes it. */
    hint: p.text(),
    scopes: p.array(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'api_key_token_hash_key', properties: ['tokenHash'] }],
  checks: [
    ...lengthChecks('api_key', 60, ['name']),
    ...lengthChecks('api_key', 10, ['hint']),
    check('api_key_scopes_count', 'cardinality(scopes) >= 1 and cardinality(scopes) <= 60'),
  ],
  ...lookupPolicy('api_key'),
})
