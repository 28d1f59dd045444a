import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { timeFormats, weekStarts, type TimeFormat, type WeekStart } from '#app/lib/clock.ts'
import { allowedValues, check, columns, lengthChecks, sqlIndex } from '#db/columns.ts'
import { lookupPolicy, tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { planNames, type PlanName } from './accounts/plans.ts'
import { ApiKey } from './api-keys/schema.ts'
import { CustomDomain } from './domains/schema.ts'
import { ErasureReport } from './erasures/schema.ts'
import { PracticeExport } from './exports/schema.ts'
import { FileUpload, StoredFile } from './files/schema.ts'
import { PlanModuleSwitch } from './module-switches/schema.ts'

export const onboardingMarks = ['payment', 'branding'] as const
export type OnboardingMark = (typeof onboardingMarks)[number]

/** A coach: the account that signs in, and the tenant that owns every record (`coach_id` is its id). */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    email: p.text(),
    /** Null until the owner opened the link that was sent to the address. */
    emailVerifiedAt: p.datetime(3).nullable(),
    /** The serving role can't read it: see `findCredentials`. */
    passwordHash: p.text().nullable().lazy(),
    firstName: p.text(),
    lastName: p.text(),
    profileImageUrl: p.text().nullable(),
    role: p.text().default('coach'),
    businessName: p.text().nullable(),
    bio: p.text().nullable(),
    phone: p.text().nullable(),
    timezone: p.text().default('America/New_York'),
    weekStart: p.text().$type<WeekStart>().default('sunday'),
    /** ISO 4217, lower case. Fixed by the first sale. */
    currency: p.text().default('usd'),
    timeFormat: p.text().$type<TimeFormat>().default('12h'),
    primaryColor: p.text().default('#6366f1'),
    logoUrl: p.text().nullable(),
    subdomain: p.text().nullable(),
    /** The coach's own domain, once DNS has proved it: see `domains/`. */
    customDomain: p.text().nullable(),
    /** Whether the emails of a kind are sent, where the coach has chosen it: see `modules/core/notifications.ts`. */
    notificationChoices: p.json().$type<Record<string, boolean>>().defaultRaw(`'{}'`),
    onboardingCompleted: p.boolean().default(false),
    /** The steps of the onboarding that nothing else shows to be completed. */
    onboardingSteps: p.array().$type<OnboardingMark[]>().default([]),
    // `defaultRaw` leaves a column out of the insert: the serving role may not write these.
    isAdmin: p.boolean().defaultRaw('false'),
    plan: p.text().$type<PlanName>().defaultRaw(`'free'`),
    /** See `module-switches/`. */
    moduleSwitches: p.json().$type<Record<string, boolean>>().defaultRaw(`'{}'`),
    trialEndsAt: p.datetime(3).nullable(),
    /** The payment of the plan fails since then. */
    paymentFailedAt: p.datetime(3).nullable(),
    removedAt: p.datetime(3).nullable(),
    /** The owner closed the account, if it is the time of the removal. */
    closedAt: p.datetime(3).nullable(),
    closingRemindedAt: p.datetime(3).nullable(),
    lastSignInAt: p.datetime(3).nullable(),
    ...columns.timestamps,
    ...searchColumn(`first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(business_name, '')`),
  },
  uniques: [
    { name: 'account_subdomain_key', properties: ['subdomain'] },
    { name: 'account_custom_domain_key', properties: ['customDomain'] },
  ],
  indexes: [
    sqlIndex('account_email_key', '(lower(email))', { unique: true }),
    sqlIndex('account_newest', '(created_at desc, id desc)'),
  ],
  checks: [
    ...lengthChecks('account', 254, ['email']),
    ...lengthChecks('account', 255, ['first_name', 'last_name', 'business_name', 'phone', 'timezone']),
    ...lengthChecks('account', 253, ['custom_domain']),
    ...lengthChecks('account', 2048, ['logo_url']),
    ...lengthChecks('account', 50_000, ['bio']),
    check('account_module_switches_object', `jsonb_typeof(module_switches) = 'object'`),
    check('account_notification_choices_object', `jsonb_typeof(notification_choices) = 'object'`),
    check('account_notification_choices_length', 'char_length(notification_choices::text) <= 10000'),
    check('account_role_allowed', allowedValues('role', ['coach'])),
    check('account_plan_allowed', allowedValues('plan', planNames)),
    check('account_week_start_allowed', allowedValues('week_start', Object.keys(weekStarts))),
    check('account_currency_format', `currency ~ '^[a-z]{3}$'`),
    check('account_time_format_allowed', allowedValues('time_format', Object.keys(timeFormats))),
    check('account_onboarding_steps_allowed', `onboarding_steps <@ array['payment', 'branding']`),
    check('account_primary_color_format', `primary_color ~ '^#[0-9a-f]{6}$'`),
    check('account_subdomain_format', `subdomain ~ '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$'`),
  ],
  ...lookupPolicy('account', { key: 'id' }),
})
export type AccountRow = InferEntity<typeof Account>

/** A subdomain that a coach gave up: until it expires, nobody else may take it. */
export const ReleasedSubdomain = defineEntity({
  name: 'ReleasedSubdomain',
  tableName: 'released_subdomain',
  primaryKeys: ['coachId', 'subdomain'],
  properties: {
    coachId: p.bigint('number').primary(),
    subdomain: p.text().primary(),
    expiresAt: p.datetime(3),
  },
  indexes: [{ name: 'released_subdomain_subdomain', properties: ['subdomain'] }],
  checks: lengthChecks('released_subdomain', 40, ['subdomain']),
  ...lookupPolicy('released_subdomain'),
})

/** The subdomain of an erased coach, as a hash: until it expires, nobody may take it. Belongs to no tenant. */
export const ErasedSubdomain = defineEntity({
  name: 'ErasedSubdomain',
  tableName: 'erased_subdomain',
  properties: { nameHash: p.text().primary(), expiresAt: p.datetime(3) },
})

/** A signed-in browser. The cookie holds the token; only its hash is stored. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    tokenHash: p.blob(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
    /** As the browser sent it when signing in, shortened. */
    userAgent: p.text().nullable(),
    ipAddress: p.text().nullable(),
    /**
     * The domain of the coach at which the browser signed in, the only host where the session is valid; null: any
     * other.
     */
    domain: p.text().nullable(),
  },
  uniques: [{ name: 'session_token_hash_key', properties: ['tokenHash'] }],
  checks: [
    ...lengthChecks('session', 400, ['user_agent']),
    ...lengthChecks('session', 45, ['ip_address']),
    ...lengthChecks('session', 253, ['domain']),
  ],
  ...lookupPolicy('session'),
})

export const oneTimeTokenKinds = [
  'reset',
  'invitation',
  'handover',
  'verification',
  'email_change',
  'second_factor',
  'passkey',
] as const
export type OneTimeTokenKind = (typeof oneTimeTokenKinds)[number]

/** A link or step that works once: to reset a password, verify an address, or finish signing in. */
export const OneTimeToken = defineEntity({
  name: 'OneTimeToken',
  tableName: 'one_time_token',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    kind: p.text().$type<OneTimeTokenKind>(),
    tokenHash: p.blob(),
    /** Values for the step, such as the new address of an email change. */
    data: p.json().$type<Record<string, string>>().nullable(),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'one_time_token_hash_key', properties: ['tokenHash'] }],
  checks: [check('one_time_token_kind_allowed', allowedValues('kind', oneTimeTokenKinds))],
  ...lookupPolicy('one_time_token'),
})

/** The app that shows six-digit codes (TOTP). It counts once its first code was entered. */
export const AuthenticatorApp = defineEntity({
  name: 'AuthenticatorApp',
  tableName: 'authenticator_app',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** Encrypted with SECRET_KEY. */
    secret: p.text(),
    /** The 30-second step of the last accepted code: no code works twice. */
    lastUsedStep: p.bigint('number').nullable(),
    confirmedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  uniques: [{ name: 'authenticator_app_coach_key', properties: ['coachId'] }],
  ...lookupPolicy('authenticator_app'),
})

/** A code for signing in without the second factor, once. Only its hash is stored. */
export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_code',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    codeHash: p.blob(),
    usedAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'recovery_code_hash_key', properties: ['coachId', 'codeHash'] }],
  ...tenantPolicy('recovery_code'),
})

/** A WebAuthn credential. */
export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkey',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    credentialId: p.blob(),
    publicKey: p.blob(),
    signCount: p.bigint('number'),
    transports: p.array(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'passkey_credential_id_key', properties: ['credentialId'] }],
  checks: lengthChecks('passkey', 60, ['name']),
  ...lookupPolicy('passkey'),
})

/** An event of the account's security, for its owner: sign-ins, new passwords, devices. Never changes. */
export const SecurityEvent = defineEntity({
  name: 'SecurityEvent',
  tableName: 'security_event',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    kind: p.text(),
    ipAddress: p.text().nullable(),
    userAgent: p.text().nullable(),
    details: p.json().$type<Record<string, string>>(),
    createdAt: p.datetime(3),
  },
  checks: [
    ...lengthChecks('security_event', 40, ['kind']),
    ...lengthChecks('security_event', 45, ['ip_address']),
    ...lengthChecks('security_event', 400, ['user_agent']),
  ],
  ...tenantPolicy('security_event'),
})

/** The first response to a POST with an Idempotency-Key, kept for 24 hours. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  primaryKeys: ['coachId', 'key'],
  properties: {
    coachId: p.bigint('number').primary(),
    key: p.text().primary(),
    requestHash: p.blob(),
    status: p.integer().nullable(),
    body: p.text().nullable(),
    createdAt: p.datetime(3),
  },
  checks: lengthChecks('idempotency_key', 255, ['key']),
  ...tenantPolicy('idempotency_key'),
})

/** Attempts per window. Belongs to no tenant, because the caller isn't signed in. Keys are hashes. */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limit',
  properties: {
    key: p.text().primary(),
    attempts: p.integer(),
    windowEndsAt: p.datetime(3),
  },
})

export const historyActions = ['created', 'changed', 'deleted', 'restored'] as const
export type HistoryAction = (typeof historyActions)[number]

/** A change of a record. Only the trigger function `write_history` writes it; the app may only read it. */
export const History = defineEntity({
  name: 'History',
  tableName: 'history',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** The record's table. */
    kind: p.text(),
    recordId: p.bigint('number'),
    action: p.text().$type<HistoryAction>(),
    /** Fields are column names. */
    changes: p.json().$type<{ field: string; from: unknown; to: unknown }[]>(),
    /** The account that made the change; null: a job. */
    actorId: p.bigint('number').nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [{ name: 'history_record', properties: ['coachId', 'kind', 'recordId', 'id'] }],
  checks: [check('history_action_allowed', allowedValues('action', historyActions))],
  ...tenantPolicy('history'),
})

/** The searchable content of a record. Written by the triggers that `indexContent` adds. */
export const SearchContent = defineEntity({
  name: 'SearchContent',
  tableName: 'search_content',
  primaryKeys: ['coachId', 'kind', 'recordId'],
  properties: {
    coachId: p.bigint('number').primary(),
    /** The record's table. */
    kind: p.text().primary(),
    recordId: p.bigint('number').primary(),
    content: p.text(),
  },
  ...tenantPolicy('search_content'),
})

export const uploadKinds = ['logo', 'photo'] as const
export type UploadKind = (typeof uploadKinds)[number]

/** A coach's logo or photo. Public pages and emails show the logo, so its key can't be guessed. */
export const Upload = defineEntity({
  name: 'Upload',
  tableName: 'upload',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    kind: p.text().$type<UploadKind>().default('logo'),
    key: p.text(),
    contentType: p.text(),
    content: p.blob(),
    createdAt: p.datetime(3),
  },
  indexes: [{ name: 'upload_key', properties: ['key'] }],
  uniques: [{ name: 'upload_coach_key', properties: ['coachId', 'kind'] }],
  checks: [
    check('upload_kind_allowed', allowedValues('kind', uploadKinds)),
    check('upload_key_format', `key ~ '^[0-9a-f]{32}$'`),
    check('upload_content_type_allowed', allowedValues('content_type', ['image/png', 'image/jpeg', 'image/svg+xml'])),
    check('upload_content_size', 'octet_length(content) <= 5242880'),
  ],
  ...lookupPolicy('upload'),
})

/** The tables that every module builds on. */
export const platformEntities = [
  Account,
  ReleasedSubdomain,
  ErasedSubdomain,
  Session,
  OneTimeToken,
  AuthenticatorApp,
  RecoveryCode,
  Passkey,
  SecurityEvent,
  ApiKey,
  IdempotencyKey,
  RateLimit,
  History,
  SearchContent,
  Upload,
  CustomDomain,
  StoredFile,
  FileUpload,
  PracticeExport,
  ErasureReport,
  PlanModuleSwitch,
]
