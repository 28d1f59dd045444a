import type pg from 'pg'
import { createAppApi } from '#app/server/process/runtime.ts'
import { modules } from '#modules/registry.ts'
import { updateBranding } from '#tenants/accounts/accounts.ts'
import { saveImage } from '#tenants/accounts/images.ts'
import { ApiKey } from '#tenants/api-keys/schema.ts'
import {
  AuthenticatorApp,
  IdempotencyKey,
  OneTimeToken,
  Passkey,
  RecoveryCode,
  SecurityEvent,
} from '#tenants/schema.ts'
import { createCoach, inTenant, contextFor, type Coach } from './factories.ts'
import type { TestApp } from './test-app.ts'
import { asOwner, runForCoach } from './as-db-owner.ts'
import { tenantColumn, listTenantTables } from './row-security.ts'
import { createSampleBody, listIdFields, findListPath } from './request-samples.ts'

/**
 * Is in every text of the second practice, followed by the table's name: showing it to the first practice is a leak.
 */
export const leakMarker = 'canary7f3'
/** The password of both coaches, for calls that ask for it again. */
export const tenantPassword = 'a long and rare word'

export type TwoTenants = {
  ada: Coach
  /** Another practice: its ids are far from Ada's, and its texts contain the leak marker. */
  bea: Coach
  /** Table → Bea's ids in it, ascending. */
  ids: Map<string, number[]>
  /** The first id of each of her tables, each number once: most of these rows have the same. */
  sampleIds: number[]
}

/**
 * Creates two practices with rows in every tenant table: the demo data of each module, one record of each kind that the
 * API creates, and the rows of the platform. Throws when a table stays empty, and says what to do.
 */
export async function createTwoTenants(app: TestApp): Promise<TwoTenants> {
  const ada = await createFilledTenant(app, 'ada')
  await alignSequences(app.ownerUrl)
  const bea = await createFilledTenant(app, 'bea')
  const ids = await markTexts(app.ownerUrl, bea)
  return { ada, bea, ids, sampleIds: [...new Set([...ids.values()].flatMap((own) => own.slice(0, 1)))] }
}

async function createFilledTenant(app: TestApp, name: string): Promise<Coach> {
  const coach = await createCoach({
    plan: 'premium',
    subdomain: `${name}-coaching`,
    email: `${name}@example.com`,
    password: tenantPassword,
  })
  const ctx = await contextFor(coach)
  // The smaller practice: every table has rows, and each test file waits for them.
  for (const module of modules) await module.seed?.(ctx, { which: 'second', now: app.clock.now })
  await createRecordsByApi(app, coach)
  await inTenant(coach, (tx) => updateBranding(tx, { subdomain: `${name}-practice` }))
  await inTenant(coach, (tx) => updateBranding(tx, { subdomain: `${name}-coaching` }))
  await inTenant(coach, (tx) => saveImage(tx, 'logo', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))
  await insertUnfinishedRows(app.ownerUrl, coach)
  await inTenant(coach, async ({ em }) => {
    em.create(OneTimeToken, {
      coachId: coach.id,
      kind: 'reset',
      tokenHash: Buffer.from(`token of ${name}`),
      expiresAt: new Date(app.clock.now.getTime() + 3_600_000),
    })
    // An hour ago: its setup, with a secret that nothing can decrypt, has expired.
    const hourAgo = new Date(app.clock.now.getTime() - 3_600_000)
    em.create(AuthenticatorApp, { coachId: coach.id, secret: `secret of ${name}`, createdAt: hourAgo })
    em.create(RecoveryCode, { coachId: coach.id, codeHash: Buffer.from(`code of ${name}`) })
    em.create(Passkey, {
      coachId: coach.id,
      name: `key of ${name}`,
      credentialId: Buffer.from(`credential of ${name}`),
      publicKey: Buffer.from(name),
      signCount: 0,
      transports: [],
      createdAt: app.clock.now,
    })
    em.create(ApiKey, {
      coachId: coach.id,
      name: `key of ${name}`,
      tokenHash: Buffer.from(`API key of ${name}`),
      hint: name,
      scopes: ['*:read'],
      createdAt: app.clock.now,
    })
    em.create(SecurityEvent, { coachId: coach.id, kind: 'sign-in', details: {}, createdAt: app.clock.now })
    em.create(IdempotencyKey, {
      coachId: coach.id,
      key: `key of ${name}`,
      requestHash: Buffer.from(name),
      status: 201,
      body: '{}',
      createdAt: app.clock.now,
    })
  })
  return coach
}

const tenantTables = new Map<string, Promise<string[]>>()

/**
 * Returns the number of rows and a hash for each table of a practice, as a text to compare. The hash is of where each
 * row lies and of the transaction that wrote it, which no change leaves as they were.
 */
export async function tenantFingerprint({ ownerUrl }: TestApp, coachId: number): Promise<string> {
  const listing = tenantTables.get(ownerUrl) ?? asOwner(ownerUrl, listTenantTables)
  tenantTables.set(ownerUrl, listing)
  const selects = (await listing).map(
    (table) =>
      `select '${table}' as name, count(*) as rows, coalesce(sum(hashtextextended(concat(ctid, xmin), 0)), 0) as hash
        from "${table}" where ${tenantColumn(table)} = ${coachId}`,
  )
  const { rows } = await runForCoach(
    ownerUrl,
    coachId,
    `select string_agg(concat_ws(' ', name, rows, hash), e'\n' order by name) as all
      from (${selects.join(' union all ')}) tables`,
  )
  return rows[0].all
}

/** Finds the coach's newest record in a table. Creates the demo data, or a row without it, first if there is none. */
export async function getSeededId(table: string, coach: Coach): Promise<number> {
  const ctx = await contextFor(coach)
  const newest = async () =>
    (
      await ctx.query<{ id: number }>({
        name: `test.newest.${table}`,
        // Settings have no trash. Of invoices only drafts can be deleted.
        text: `select t.id from "${table}" t where to_jsonb(t) ->> 'deleted_at' is null
          order by (to_jsonb(t) ->> 'state' = 'draft') desc nulls last, t.id desc limit 1`,
      })
    )[0]?.id ?? null
  if ((await newest()) === null)
    for (const module of modules) await module.seed?.(ctx, { which: 'second', now: ctx.now() })
  const text = unfinishedRows[table]
  if (text && (await newest()) === null)
    await inTenant(coach, (tx) => tx.query({ name: `test.insert.${table}`, text, values: [coach.id] }))
  return (await newest())!
}

/** Calls each POST of the API that adds a record to a list, in the order of the registry. */
async function createRecordsByApi(app: TestApp, coach: Coach): Promise<void> {
  const { operations } = createAppApi()
  const lists = operations
    .filter(({ method, path, access }) => method === 'get' && access === 'coach' && !path.includes('{'))
    .map(({ path }) => path)
  for (const operation of operations) {
    if (operation.method !== 'post' || operation.access !== 'coach' || !lists.includes(operation.path)) continue
    const body = createSampleBody(operation)
    for (const field of listIdFields(operation)) {
      const list = findListPath(field, operations)
      if (list) body[field] = (await app.call('GET', `/api${list}`, { as: coach })).body[0]?.id
    }
    await app.call('POST', `/api${operation.path}`, { as: coach, body })
  }
}

/** Rows of tables without demo data, which hold work in progress. */
const unfinishedRows: Record<string, string> = {
  custom_domain: `insert into custom_domain (coach_id, hostname, token, created_at)
    values ($1, concat('coaching-', $1::bigint, '.example.com'), md5(random()::text), now())`,
  erasure_report: `insert into erasure_report (coach_id, kind, record_number, trashed_at, erased_at, counts)
    values ($1, 'client', 1, now(), now(), '[{"label": ["${leakMarker}", "${leakMarker}"], "deleted": 1, "kept": 0}]')`,
  contact_message: `insert into contact_message (coach_id, name, email, message, notified_at, created_at, updated_at)
    values ($1, 'Mara', 'mara@example.com', 'Do you have evening appointments?', now(), now(), now())`,
  message_attachment: `insert into message_attachment (coach_id, message_id, position, resource_id)
    select coach_id, id, 5, 0 from message where coach_id = $1 order by id limit 1`,
  practice_export: `insert into practice_export (coach_id, created_at) values ($1, now())`,
  file_upload: `insert into file_upload (coach_id, name, size, key, store_id, created_at, expires_at)
    values ($1, 'workshop.mp4', 1, concat($1::bigint, '/', md5(random()::text)), '', now(), now() + interval '1 day')`,
  stored_file: `insert into stored_file (coach_id, key, size, content_type, kind, record_id, created_at)
    values ($1, concat($1::bigint, '/', md5(random()::text)), 1, 'text/plain', 'account', $1, now())`,
  client_import: `insert into client_import
      (coach_id, file_name, content, mapping, status, total, created_at, updated_at)
    values ($1, 'clients.csv', convert_to('Name,Email\nMara ${leakMarker},mara@example.com', 'UTF8'),
      '{"${leakMarker}": "name"}', 'ready', 1, now(), now())`,
  client_merge: `insert into client_merge (coach_id, kept_id, moved, last_ids, fields, created_at, updated_at)
    select coach_id, id, '{}', '{}', '{"name": {"from": "${leakMarker}", "to": "Mara"}}', now(), now()
    from client where coach_id = $1 and deleted_at is null order by id limit 1`,
  imported_client: `insert into imported_client (coach_id, import_id, client_id)
    select c.coach_id, i.id, c.id from client c, client_import i where c.coach_id = $1 and i.coach_id = $1
    order by c.id limit 2`,
  calendar_feed: `insert into calendar_feed (coach_id, token_hash, shows_details, created_at)
    values ($1, decode(md5(random()::text), 'hex'), true, now())`,
  booking_embed: `insert into booking_embed (coach_id, origins, created_at, updated_at)
    values ($1, array['https://www.example.com'], now(), now())`,
  booking_link: `insert into booking_link (coach_id, appointment_type_id, client_id, created_at)
    select coach_id, appointment_type_id, client_id, now() from appointment
    where coach_id = $1 and client_id is not null and appointment_type_id is not null order by id limit 1`,
  paid_booking: `insert into paid_booking (coach_id, sale_id, appointment_type_id, start_time, duration_minutes, timezone,
      details, kept_until, refund, created_at, updated_at)
    select coach_id, 1, id, now(), 60, 'Europe/Berlin', '{"notes": "${leakMarker}"}', now(), 'automatic', now(), now()
    from appointment_type where coach_id = $1 order by id limit 1`,
  calendar_import: `insert into calendar_import (coach_id, file_name, summary, content, created_at)
    values ($1, 'calendar.ics', '{"appointments": 0, "busyTimes": 0, "series": {"appointments": [], "busyTimes": []},
      "leftOut": {}, "unknownZones": ["${leakMarker}"]}', '[]', now())`,
  imported_event: `insert into imported_event (coach_id, calendar_import_id, key_hash, title, start_time, end_time)
    select coach_id, id, '', 'Dentist', now() + interval '1 day', now() + interval '2 days'
    from calendar_import where coach_id = $1`,
  appointment_message: `insert into appointment_message
      (coach_id, appointment_id, kind, sequence, email, start_time, end_time, tentative, due_at, created_at)
    select coach_id, id, 'confirmation', 1, 'mara@example.com', start_time, end_time, false, now(), now()
    from appointment where coach_id = $1 order by id limit 1`,
  invoice_reminder: `insert into invoice_reminder (coach_id, invoice_id, days, claimed_at)
    select coach_id, id, 3, now() from invoice where coach_id = $1 and state <> 'draft' order by id limit 1`,
  payment_email: `insert into payment_email (coach_id, ledger_entry_id, claimed_at)
    select coach_id, id, now() from ledger_entry where coach_id = $1 order by id limit 2`,
  receipt_email: `insert into receipt_email (coach_id, ledger_entry_id, claimed_at)
    select coach_id, id, now() from ledger_entry where coach_id = $1 order by id limit 1`,
  invoice_file: `insert into invoice_file (coach_id, invoice_id, content, sha256, created_at)
    select coach_id, id, file, sha256(file), now()
    from invoice, convert_to('${leakMarker}.invoice_file', 'UTF8') as file
    where coach_id = $1 and state <> 'draft' order by id limit 1`,
  sale: `insert into sale (coach_id, product_id, client_id, product_name, amount, currency, buyer_name, buyer_email, source,
      created_at, updated_at)
    select p.coach_id, p.id, c.id, p.name, 100, 'usd', c.name, c.email, 'link', now(), now()
    from product p join client c on c.coach_id = p.coach_id where p.coach_id = $1 order by p.id, c.id limit 1`,
  google_connection: `insert into google_connection (coach_id, email, created_at)
    values ($1, 'mara@example.com', now())`,
  google_token: `insert into google_token
      (coach_id, connection_id, refresh_token, access_token, access_token_expires_at)
    select coach_id, id, 'none', 'none', now() from google_connection where coach_id = $1`,
  google_connect_attempt: `insert into google_connect_attempt
      (coach_id, state_hash, code_verifier, in_popup, expires_at)
    values ($1, decode(md5(random()::text), 'hex'), 'none', false, now() + interval '1 hour')`,
  google_calendar: `insert into google_calendar (coach_id, connection_id, calendar_id, name, timezone, blocks)
    select coach_id, id, 'mara@example.com', 'Mara', 'Europe/Berlin', true from google_connection where coach_id = $1`,
  google_event: `insert into google_event (coach_id, google_calendar_id, event_id, start_time, end_time, timezone)
    select coach_id, id, 'lunch', now(), now() + interval '1 hour', timezone from google_calendar where coach_id = $1`,
  google_link: `insert into google_link (coach_id, appointment_id, google_calendar_id, event_id)
    select a.coach_id, a.id, c.id, 'session' from appointment a join google_calendar c on c.coach_id = a.coach_id
    where a.coach_id = $1 order by a.id limit 1`,
  announcement_dismissal: `insert into announcement_dismissal (coach_id, announcement_id, dismissed_at)
    values ($1, 1, now())`,
  support_visit: `insert into support_visit
      (coach_id, admin_email, target_id, target_email, support_grant_id, session_hash, started_at)
    values ($1, 'root@example.com', $1, 'mara@example.com', 1, decode(md5(random()::text), 'hex'), now())`,
  portal_link: `insert into portal_link (coach_id, client_id, email, token_hash, host, expires_at, created_at)
    select coach_id, id, lower(email), decode(md5(random()::text), 'hex'), 'mara.localhost', now(), now()
    from client where coach_id = $1 order by id limit 1`,
  portal_session: `insert into portal_session
      (coach_id, client_id, email, domain, token_hash, created_at, last_seen_at, expires_at)
    select coach_id, id, lower(email), null, decode(md5(random()::text), 'hex'), now(), now(), now() + interval '1 day'
    from client where coach_id = $1 order by id limit 1`,
  portal_passkey: `insert into portal_passkey (coach_id, client_id, email, host, name, credential_id, public_key,
      sign_count, transports, created_at)
    select coach_id, id, lower(email), 'mara.localhost', 'Phone', decode(md5(random()::text), 'hex'), 'none', 0, '{}', now()
    from client where coach_id = $1 order by id limit 2`,
  zoom_connection: `insert into zoom_connection (coach_id, user_id, email, created_at)
    values ($1, concat('zoom ', $1::bigint), 'mara@example.com', now())`,
  zoom_token: `insert into zoom_token (coach_id, connection_id, refresh_token, access_token, access_token_expires_at)
    select coach_id, id, 'none', 'none', now() from zoom_connection where coach_id = $1`,
  zoom_connect_attempt: `insert into zoom_connect_attempt (coach_id, state_hash, code_verifier, expires_at)
    values ($1, decode(md5(random()::text), 'hex'), 'none', now() + interval '1 hour')`,
  zoom_event: `insert into zoom_event (coach_id, body_hash, type, created_at)
    values ($1, decode(md5(random()::text), 'hex'), 'recording.completed', now())`,
  recording_search: `insert into recording_search (coach_id, appointment_id, created_at, updated_at)
    select coach_id, id, now(), now() from appointment where coach_id = $1 order by id limit 1`,
  transcription_usage: `insert into transcription_usage (coach_id, recording_id, attempt, minutes, sent_at)
    values ($1, 1, 1, 50, now())`,
  recording_candidate: `insert into recording_candidate
      (coach_id, appointment_id, source, source_id, title, start_time, end_time)
    select coach_id, id, 'zoom', 'uuid', 'Meeting', start_time, end_time from appointment
    where coach_id = $1 order by id limit 1`,
  stripe_account: `insert into stripe_account (coach_id, account_id, created_at)
    values ($1, concat('acct_', $1::bigint), now())`,
  stripe_event: `insert into stripe_event (coach_id, account_id, event_id, type, object_id, created_at)
    values ($1, concat('acct_', $1::bigint), 'evt_1', 'charge.refunded', 'ch_1', now())`,
  stripe_difference: `insert into stripe_difference
      (coach_id, payment_intent_id, stripe_amount, booked_amount, found_at)
    values ($1, 'pi_1', 200, 100, now())`,
  stripe_customer: `insert into stripe_customer (coach_id, client_id, account_id, customer_id)
    select coach_id, id, 'acct_1', 'cus_1' from client where coach_id = $1 order by id limit 1`,
  stripe_checkout: `insert into stripe_checkout (coach_id, invoice_id, account_id, amount, session_id, expires_at, created_at)
    select coach_id, id, 'acct_1', 100, 'cs_1', now(), now() from invoice where coach_id = $1 order by id limit 1`,
  stripe_refund: `insert into stripe_refund (coach_id, invoice_id, account_id, payment_intent_id, amount, source, created_at)
    select coach_id, id, 'acct_1', 'pi_1', 100, 'dashboard', now() from invoice where coach_id = $1 order by id limit 1`,
  stripe_dispute: `insert into stripe_dispute (coach_id, invoice_id, dispute_id, status, amount, created_at)
    select coach_id, id, 'du_1', 'won', 100, now() from invoice where coach_id = $1 order by id limit 1`,
  stripe_subscription: `insert into stripe_subscription
      (coach_id, client_id, product_name, kind, frequency, currency, amount, account_id, created_at, updated_at)
    select coach_id, id, 'Membership', 'recurring', 'monthly', 'usd', 100, 'acct_1', now(), now()
    from client where coach_id = $1 order by id limit 2`,
  stripe_charge: `insert into stripe_charge
      (coach_id, subscription_row_id, charge_id, part, state, amount, invoice_id, created_at)
    select s.coach_id, s.id, concat('in_', gen_random_uuid()), 1, 'paid', 100,
      (select id from invoice where coach_id = $1 order by id limit 1), now()
    from stripe_subscription s where s.coach_id = $1 order by s.id limit 2`,
  form_proposal: `insert into form_proposal (coach_id, submission_id, question, field, value, created_at)
    select coach_id, id, md5(random()::text), 'location', 'Lisbon', now() from form_submission
    where coach_id = $1 order by id limit 1`,
  contract_email: `insert into contract_email (coach_id, contract_id, kind, state, created_at, sent_at)
    select coach_id, id, 'link', 'sent', now(), now() from contract
    where coach_id = $1 and state <> 'draft' order by id limit 1`,
  contract_file: `insert into contract_file (coach_id, contract_id, content, sha256, created_at)
    select coach_id, id, file, sha256(file), now()
    from contract, convert_to('${leakMarker}.contract_file', 'UTF8') as file
    where coach_id = $1 and state = 'completed' order by id limit 1`,
  plan_subscription: `insert into plan_subscription (coach_id, customer_id, created_at)
    values ($1, concat('cus_', $1::bigint), now())`,
}

/** The tables of lists whose records another service or a client reports, so that no call of the API fills them. */
export const reportedTables: Record<string, string> = {
  '/subscriptions': 'stripe_subscription',
  '/subscription-charges': 'stripe_charge',
  '/form-proposals': 'form_proposal',
  '/contact-messages': 'contact_message',
  '/automation-runs': 'automation_run',
}

/** Adds rows as `createTwoTenants` does. */
export async function addRows(coach: Coach, table: string): Promise<void> {
  await asOwner(coach.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
    await db.query(unfinishedRows[table]!, [coach.id])
  })
}

async function insertUnfinishedRows(ownerUrl: string, coach: Coach): Promise<void> {
  await asOwner(ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
    const tables = await listTenantTables(db)
    for (const [table, statement] of Object.entries(unfinishedRows))
      if (tables.includes(table)) await db.query(statement, [coach.id])
  })
}

/** Bea's first row gets the same id in every table, far from Ada's: one request tries her rows in all of them. */
async function alignSequences(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, (db) =>
    db.query(`select setval(oid::regclass, 7000000) from pg_class
      where relkind = 'S' and relnamespace = 'public'::regnamespace`),
  )
}

/** Appends the leak marker to every text that accepts it. Returns the ids of each table. */
async function markTexts(ownerUrl: string, coach: Coach): Promise<Map<string, number[]>> {
  return asOwner(ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
    const ids = new Map<string, number[]>()
    for (const table of await listTenantTables(db)) {
      const { rows: columns } = await db.query<{ name: string }>(
        `select column_name as name from information_schema.columns
          where table_schema = 'public' and table_name = $1 and data_type = 'text' and is_generated = 'NEVER'`,
        [table],
      )
      for (const { name } of columns)
        if (!unmarkedColumns.has(`${table}.${name}`))
          await runIfAccepted(
            db,
            `update "${table}" set "${name}" = coalesce("${name}", '') || ' ${leakMarker}.${table}'`,
          )
      const { rows } = await db.query<{ id: number }>(`select * from "${table}" where ${tenantColumn(table)} = $1`, [
        coach.id,
      ])
      if (!rows.length) {
        throw new Error(
          `The table "${table}" has no row of the second practice. ` +
            'Add one to the seed of its module, or to "unfinishedRows" in tests/support/two-tenants.ts.',
        )
      }
      ids.set(
        table,
        rows
          .map((row) => Number(row.id))
          .filter((id) => id > 0)
          .sort((a, b) => a - b),
      )
    }
    return ids
  })
}

/** Columns by which a coach, a session or a history is found: a marked one could not be read. */
const unmarkedColumns = new Set([
  'account.subdomain',
  'account.custom_domain',
  'account.timezone',
  'account.email',
  'session.domain',
  'history.kind',
  'search_content.kind',
])

async function runIfAccepted(db: pg.Client, statement: string): Promise<void> {
  await db.query('begin')
  await db.query(statement).then(
    () => db.query('commit'),
    // A status or a color does not accept the marker.
    () => db.query('rollback'),
  )
}
