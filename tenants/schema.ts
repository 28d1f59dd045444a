import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { atMost, lookedUpPolicy, oneOf, tenantColumns, tenantPolicy, timestamps } from '#db/columns.ts'

const check = (name: string, expression: string) => ({ name, expression })

/** A coach: the account that signs in, and the tenant that owns every record (`coach_id` is its id). */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    email: p.text(),
    passwordHash: p.text().nullable(),
    firstName: p.text(),
    lastName: p.text(),
    profileImageUrl: p.text().nullable(),
    role: p.text().default('coach'),
    businessName: p.text().nullable(),
    bio: p.text().nullable(),
    phone: p.text().nullable(),
    timezone: p.text().default('America/New_York'),
    primaryColor: p.text().default('#6366f1'),
    logoUrl: p.text().nullable(),
    subdomain: p.text().nullable(),
    onboardingCompleted: p.boolean().default(false),
    isAdmin: p.boolean().default(false),
    plan: p.text().$type<'free' | 'pro' | 'premium'>().default('free'),
    trialEndsAt: p.datetime(3).nullable(),
    removedAt: p.datetime(3).nullable(),
    lastSignInAt: p.datetime(3).nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'account_subdomain_key', properties: ['subdomain'] }],
  indexes: [
    {
      name: 'account_email_key',
      expression: (_columns, table, name) => `create unique index "${name}" on "${table.name}" (lower(email))`,
    },
  ],
  checks: [
    check('account_email_length', atMost('email', 254)),
    check('account_first_name_length', atMost('first_name', 255)),
    check('account_last_name_length', atMost('last_name', 255)),
    check('account_business_name_length', atMost('business_name', 255)),
    check('account_bio_length', atMost('bio', 50_000)),
    check('account_phone_length', atMost('phone', 255)),
    check('account_timezone_length', atMost('timezone', 255)),
    check('account_logo_url_length', atMost('logo_url', 2048)),
    check('account_role_known', oneOf('role', ['coach'])),
    check('account_plan_known', oneOf('plan', ['free', 'pro', 'premium'])),
    check('account_primary_color_shape', `primary_color ~ '^#[0-9a-f]{6}$'`),
    check('account_subdomain_shape', `subdomain ~ '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$'`),
  ],
  ...lookedUpPolicy('account', 'id'),
})
export type AccountRow = InferEntity<typeof Account>

/** A signed-in browser. The cookie holds the token; only its hash is stored. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    tokenHash: p.blob(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
  uniques: [{ name: 'session_token_hash_key', properties: ['tokenHash'] }],
  ...lookedUpPolicy('session'),
})

/** A link that works once: to reset a password, to accept an invitation, or to cross over to the coach's own host. */
export const OneTimeToken = defineEntity({
  name: 'OneTimeToken',
  tableName: 'one_time_token',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    kind: p.text().$type<'reset' | 'invitation' | 'handover'>(),
    tokenHash: p.blob(),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'one_time_token_hash_key', properties: ['tokenHash'] }],
  checks: [check('one_time_token_kind_known', oneOf('kind', ['reset', 'invitation', 'handover']))],
  ...lookedUpPolicy('one_time_token'),
})

/** The first answer of a POST that carried an Idempotency-Key, kept for 24 hours. */
export const Retry = defineEntity({
  name: 'Retry',
  tableName: 'retry',
  primaryKeys: ['coachId', 'key'],
  properties: {
    coachId: p.bigint('number').primary(),
    key: p.text().primary(),
    requestHash: p.blob(),
    status: p.integer().nullable(),
    body: p.text().nullable(),
    createdAt: p.datetime(3),
  },
  checks: [check('retry_key_length', atMost('key', 255))],
  ...tenantPolicy('retry'),
})

/** Failures counted per window: of no tenant, since the one who fails isn't known. Keys are hashes. */
export const Throttle = defineEntity({
  name: 'Throttle',
  tableName: 'throttle',
  properties: {
    key: p.text().primary(),
    failures: p.integer(),
    windowEndsAt: p.datetime(3),
  },
})

/** What was done to a record. Written by the trigger `record_history` alone: the role that serves may only read it. */
export const History = defineEntity({
  name: 'History',
  tableName: 'history',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    /** The record's table. */
    kind: p.text(),
    recordId: p.bigint('number'),
    action: p.text().$type<HistoryAction>(),
    /** By the names of the columns, as they are in the database. */
    changes: p.json().$type<{ field: string; from: unknown; to: unknown }[]>(),
    /** The account that did it; null: a job of the house. */
    actorId: p.bigint('number').nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [{ name: 'history_of_record', properties: ['coachId', 'kind', 'recordId', 'id'] }],
  checks: [check('history_action_known', oneOf('action', ['created', 'changed', 'deleted', 'restored']))],
  ...tenantPolicy('history'),
})
/** What a record says in words, as the search compares it. Written by the triggers that `withWords` makes. */
export const SearchWords = defineEntity({
  name: 'SearchWords',
  tableName: 'search_words',
  primaryKeys: ['coachId', 'kind', 'recordId'],
  properties: {
    coachId: p.bigint('number').primary(),
    /** The record's table. */
    kind: p.text().primary(),
    recordId: p.bigint('number').primary(),
    words: p.text(),
  },
  ...tenantPolicy('search_words'),
})

export type HistoryAction = 'created' | 'changed' | 'deleted' | 'restored'

/** A coach's logo. Shown on public pages and in mails, so it is found by a key that cannot be guessed. */
export const Upload = defineEntity({
  name: 'Upload',
  tableName: 'upload',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    key: p.text(),
    contentType: p.text(),
    content: p.blob(),
    createdAt: p.datetime(3),
  },
  indexes: [{ name: 'upload_key', properties: ['key'] }],
  uniques: [{ name: 'upload_one_each', properties: ['coachId'] }],
  checks: [
    check('upload_key_shape', `key ~ '^[0-9a-f]{32}$'`),
    check('upload_content_type_known', oneOf('content_type', ['image/png', 'image/jpeg', 'image/svg+xml'])),
    check('upload_content_size', 'octet_length(content) <= 5242880'),
  ],
  ...lookedUpPolicy('upload'),
})

export const houseEntities = [Account, Session, OneTimeToken, Retry, Throttle, History, SearchWords, Upload]
