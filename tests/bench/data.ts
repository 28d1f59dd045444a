import type pg from 'pg'
import { nameRoles } from '#db/roles.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { prepareBookings } from './booking-data.ts'
import { prepareFiles } from './file-data.ts'
import { prepareInvoices } from './invoice-data.ts'

export type BenchData = {
  ownerUrl: string
  appUrl: string
  users: BenchUser[]
  /** A coach with 10,000 clients and prospects. */
  largeUser: BenchUser
  /**
   * A coach with 2,000 clients, 1,000 prospects on the board, 500 appointments in `benchMonth`, and 500 more in
   * `bookedMonth`, which visitors see.
   */
  busyUser: BenchUser
}
/** A signed-in coach and the ids of some clients. */
export type BenchUser = { coachId: number; cookie: string; clientIds: number[] }

export const sessionCount = 500
const clientsEach = 100
const prospectsEach = 20
const purchasesEach = 40
const appointmentsEach = 60
/** The practice whose 10,000 records are searched. */
const largePractice = { clients: 6000, prospects: 4000 }
/** The practice whose screens are measured in a browser. */
const busyPractice = { clients: 2000, prospects: 1000, appointments: 500 }
const clientIdsEach = 20

/**
 * Prepares a database with `coaches` practices of 100 clients, 20 prospects, 40 purchases and 60 appointments each,
 * plus a large and a busy practice. All are on Premium. The rows are kept for the next run. Returns 500 sessions,
 * spread over all coaches.
 */
export async function prepareBenchData(options: {
  serverUrl: string
  coaches: number
  /** Adds invoices and what visitors need to book. */
  withBookings: boolean
  prepare: (ownerUrl: string) => Promise<{ appUrl: string }>
  log: (line: string) => void
}): Promise<BenchData> {
  const { serverUrl, coaches, withBookings, prepare, log } = options
  const name = `bench_${coaches}`
  await asOwner(serverUrl, async (owner) => {
    const { rows } = await owner.query('select from pg_database where datname = $1', [name])
    if (!rows.length) await owner.query(`create database ${name}`)
  })
  const ownerUrl = serverUrl.replace(/[^/?]*(\?|$)/, `${name}$1`)
  const { appUrl } = await prepare(ownerUrl)
  const users = await asOwner(ownerUrl, async (owner) => {
    const { rows } = await owner.query<{ filled: boolean }>(
      `select to_regproc('baseline_session') is not null as filled`,
    )
    if (!rows[0]!.filled) {
      log(`Creating ${coaches.toLocaleString('en')} practices …`)
      await fill(owner, coaches)
    }
    await withoutRowSecurity(owner, () => fillAppointments(owner, coaches))
    if (withBookings)
      await withoutRowSecurity(owner, async () => {
        await prepareInvoices(owner)
        await prepareFiles(owner)
        await prepareBookings(owner, coaches + 2)
      })
    await withoutRowSecurity(owner, () => resetRun(owner, coaches))
    // Otherwise Postgres would do this while the servers are measured.
    await owner.query(`vacuum analyze ${['session', ...filledTables].join(', ')}`)
    return withoutRowSecurity(owner, async () => ({
      users: await listUsers(owner, coaches),
      largeUser: toUser(coaches + 1, largeToken),
      busyUser: toUser(coaches + 2, busyToken),
    }))
  })
  return { ownerUrl, appUrl, ...users }
}

/** Inserts with SQL, in one transaction: a million clients would take hours through the services. */
async function fill(owner: pg.Client, coaches: number): Promise<void> {
  await withoutRowSecurity(owner, async () => {
    // The last two are the large and the busy practice.
    await owner.query(accountsSql, [coaches + 2])
    await owner.query(`select setval('account_id_seq', $1)`, [coaches + 2])
    await owner.query(clientsSql, [1, coaches, clientsEach])
    await owner.query(clientsSql, [coaches + 1, coaches + 1, largePractice.clients])
    await owner.query(clientsSql, [coaches + 2, coaches + 2, busyPractice.clients])
    await owner.query(activitiesSql)
    await owner.query(stagesSql)
    await owner.query(prospectsSql, [1, coaches, prospectsEach])
    await owner.query(prospectsSql, [coaches + 1, coaches + 1, largePractice.prospects])
    await owner.query(prospectsSql, [coaches + 2, coaches + 2, busyPractice.prospects])
    await owner.query(productsSql)
    await owner.query(purchasesSql, [purchasesEach])
    await owner.query(ledgerSql)
    await owner.query(clientSearchWordsSql)
    const { rows } = await owner.query<{ name: string }>('select current_database() as name')
    await owner.query(nameRoles(baselineSessionSql, rows[0]!.name))
  })
}

/** Runs `work` in one transaction without row level security, which applies to the owner too, and without triggers. */
async function withoutRowSecurity<T>(owner: pg.Client, work: () => Promise<T>): Promise<T> {
  const tables = ['session', ...filledTables]
  await owner.query('begin')
  for (const table of tables)
    await owner.query(`alter table ${table} no force row level security, disable trigger user`)
  const result = await work()
  for (const table of tables) await owner.query(`alter table ${table} force row level security, enable trigger user`)
  await owner.query('commit')
  return result
}

const filledTables = [
  'account',
  'client',
  'activity',
  'pipeline_stage',
  'prospect',
  'product',
  'purchase',
  'ledger_entry',
  'appointment',
  'search_content',
  'availability_schedule',
  'availability_range',
  'appointment_type',
  'busy_time',
  'billing_settings',
  'invoice',
  'invoice_line',
  'stored_file',
  'resource',
]

const accountsSql = `
  insert into account (id, email, first_name, last_name, business_name, bio, timezone, primary_color, subdomain,
    onboarding_completed, plan, email_verified_at, created_at, updated_at)
  select n, 'coach' || n || '@example.com', 'Coach', 'Number ' || n, 'Practice ' || n,
    'I work with people in the middle of a career.', 'Europe/Berlin', '#0f766e', 'practice-' || n, true, 'premium',
    created, created, created
  from generate_series(1, $1::int) as n,
    lateral (select timestamptz '2025-01-01' + n * interval '1 minute' as created) as dates`

const clientsSql = `
  insert into client (coach_id, name, email, phone, location, profession, timezone, program, status, progress, goals,
    notes, total_spent, created_at, updated_at)
  select coach, first || ' ' || last || ' ' || n, lower(first) || '.' || lower(last) || n || '@example.com',
    case when n % 4 <> 0 then '+1 415-555-' || lpad(n::text, 4, '0') end,
    case when n % 3 = 0 then 'San Francisco, CA, US' end,
    case when n % 2 = 0 then 'VP Product, Northwind Labs' end,
    'America/Los_Angeles',
    case when n % 5 = 0 then 'Leadership, 12 weeks' end,
    (array['active', 'active', 'active', 'inactive', 'completed', 'pending'])[1 + n % 6],
    (n * 7) % 101,
    case when n % 2 = 0 then 'Lead a team of ten without losing the evenings, and say no twice a week.' end,
    case when n % 3 = 0 then 'Met at the retreat. Prefers mornings, "no calls". Likes walking sessions.' end,
    (n % 8) * 12500, joined, joined
  from generate_series($1::int, $2::int) as coach, generate_series(1, $3::int) as n,
    lateral (
      select
        (array['Maya', 'José', 'Priya', 'Tom', 'Zoë', 'Lena', 'Omar', 'Ngozi', 'Søren', 'Aiko', 'Łukasz'])
          [1 + (n + coach) % 11] as first,
        (array['Okonkwo', 'Ibáñez', 'Raman', 'Becker', 'Haddad', 'Sørensen', 'Tanaka', 'Wiśniewski', 'Diallo', 'Müller',
          'Smith', 'Chen', 'Rossi'])[1 + n % 13] as last,
        timestamptz '2025-03-01' + (n * 37 + coach % 37) * interval '1 hour' as joined
    ) as person`

const activitiesSql = `
  insert into activity (coach_id, client_id, type, title, description, created_at)
  select coach_id, id, 'client_added', 'Client added', name, created_at from client`

const stagesSql = `
  insert into pipeline_stage (coach_id, name, position, alias, created_at, updated_at)
  select a.id, initcap(replace(stage, '_', ' ')), at - 1, stage, a.created_at, a.created_at
  from account a,
    unnest(array['lead', 'qualified', 'proposal', 'negotiation', 'closed_won']) with ordinality as stages (stage, at)`

const prospectsSql = `
  insert into prospect (coach_id, name, email, company, stage_id, position, value, probability, source, created_at,
    updated_at)
  select s.coach_id, 'Prospect ' || (array['Ines', 'Noah', 'Chloé', 'Ravi', 'Björn'])[1 + n % 5] || ' ' || n,
    'prospect' || n || '@example.com', 'Company ' || n % 50, s.id, n * 1024, n * 1500, (n * 7) % 101, 'Referral',
    created, created
  from generate_series(1, $3::int) as n, pipeline_stage s,
    lateral (select timestamptz '2025-06-01' + n * interval '1 hour' as created) as dates
  where s.coach_id between $1::int and $2::int and s.position = n % 5`

const productsSql = `
  insert into product (coach_id, name, price, created_at, updated_at)
  select id, 'Twelve sessions', 1800, created_at, created_at from account`

const purchasesSql = `
  insert into purchase (coach_id, client_id, product_id, product_name, amount, status, payment_method, purchased_at,
    created_at, updated_at)
  select c.coach_id, c.id, p.id, p.name, 12500 * (1 + c.nth % 4),
    (array['completed', 'completed', 'completed', 'pending', 'refunded'])[1 + c.nth % 5],
    'credit_card', purchased, purchased, purchased
  from (select coach_id, id, row_number() over (partition by coach_id order by id) as nth from client) c
    join product p using (coach_id),
    lateral (select now() - c.nth * interval '2 days' as purchased) as dates
  where c.nth <= $1::int`

const ledgerSql = `
  insert into ledger_entry (coach_id, kind, amount, currency, method, occurred_at, client_id, purchase_id, created_at)
  select coach_id, 'payment', amount, 'usd', payment_method, purchased_at, client_id, id, created_at from purchase
  where status = 'completed'`

/** The month that the workloads request. Half of all appointments are in it, the others around today. */
export const benchMonth = '2026-03'

/** Adds appointments unless there are some. */
async function fillAppointments(owner: pg.Client, coaches: number): Promise<void> {
  const { rows } = await owner.query('select from appointment limit 1')
  if (rows.length) return
  await owner.query(appointmentsSql, [1, coaches + 1, appointmentsEach])
  await owner.query(appointmentsSql, [coaches + 2, coaches + 2, busyPractice.appointments * 2])
  await owner.query(appointmentSearchWordsSql)
  await owner.query('analyze appointment, search_content')
}

const appointmentsSql = `
  insert into appointment (coach_id, client_id, title, description, start_time, end_time, timezone, status, meeting_url,
    created_at, updated_at)
  select c.coach_id, c.id, 'Session ' || n,
    case when n % 3 = 0 then 'Begin with what went well since last time, before the list.' end,
    start, start + interval '1 hour', 'Europe/Berlin',
    (array['scheduled', 'confirmed', 'completed', 'completed', 'cancelled'])[1 + n % 5],
    case when n % 2 = 0 then 'https://meet.example.com/practice' end, start, start
  from generate_series(1, $3::int) as n,
    lateral (
      select case
        when n % 2 = 0 then timestamptz '${benchMonth}-01 00:00Z' + (n * interval '31 days') / $3::int
        else date_trunc('hour', now()) + (n - $3::int / 2) * interval '1 day'
      end as start
    ) as dates,
    (select coach_id, id, row_number() over (partition by coach_id order by id) as nth,
        count(*) over (partition by coach_id) as all
      from client where coach_id between $1::int and $2::int) c
  where c.nth = 1 + n % least(c.all, 100)`

// Triggers, which are disabled here, would fill this table.
const clientSearchWordsSql = `
  insert into search_content (coach_id, kind, record_id, content)
  select coach_id, 'client', id, content_key(concat_ws(chr(10), goals, notes)) from client
  where goals is not null or notes is not null`

const appointmentSearchWordsSql = `
  insert into search_content (coach_id, kind, record_id, content)
  select coach_id, 'appointment', id, content_key(description) from appointment where description is not null`

/** The baseline server's session look-up. */
export const baselineSessionSql = `
  create function baseline_session(token bytea) returns table (coach_id bigint, plan text)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
  begin
    return query select a.id, a.plan from session s join account a on a.id = s.coach_id
      where s.token_hash = token and s.expires_at > now() and a.removed_at is null;
  end $$;
  alter function baseline_session(bytea) owner to practice_lookup;
  revoke all on function baseline_session(bytea) from public;
  grant execute on function baseline_session(bytea) to practice_app`

/** Deletes the clients that the last run created and the jobs of all coaches, and creates new sessions. */
async function resetRun(owner: pg.Client, coaches: number): Promise<void> {
  await owner.query(
    `with deleted as (delete from client where name = $1 returning coach_id, id)
      delete from search_content using deleted
      where kind = 'client' and search_content.coach_id = deleted.coach_id and record_id = deleted.id`,
    [createdName],
  )
  await owner.query(`delete from pgboss.job where data ? 'coachId'`)
  await owner.query('delete from session')
  await owner.query(
    `insert into session (coach_id, token_hash, created_at, last_seen_at, expires_at)
      select 1 + (n - 1) % $1::int, sha256(convert_to('bench-' || n, 'UTF8')), now(), now(), now() + interval '7 days'
      from generate_series(1, greatest($1::int, $2::int)) as n`,
    [coaches, sessionCount],
  )
  await owner.query(
    `insert into session (coach_id, token_hash, created_at, last_seen_at, expires_at)
      select $1::int + position, sha256(convert_to(token, 'UTF8')), now(), now(), now() + interval '7 days'
      from unnest($2::text[]) with ordinality as tokens (token, position)`,
    [coaches, [largeToken, busyToken]],
  )
}

const largeToken = 'bench-crowded'
const busyToken = 'bench-busy'
const toUser = (coachId: number, token: string): BenchUser => ({
  coachId,
  cookie: `session=${token}`,
  clientIds: [],
})

/** The name of the clients that a run creates. */
export const createdName = 'Created by the bench'

async function listUsers(owner: pg.Client, coaches: number): Promise<BenchUser[]> {
  const stride = Math.max(1, Math.floor(coaches / sessionCount))
  const signedIn = Array.from({ length: sessionCount }, (_, index) => ({
    token: `bench-${1 + index * stride}`,
    coachId: 1 + ((index * stride) % coaches),
  }))
  const { rows } = await owner.query<{ coach_id: string | number; ids: (string | number)[] }>(
    `select coach_id, (array_agg(id order by id))[1:$2::int] as ids from client
      where coach_id = any($1) group by coach_id`,
    [signedIn.map(({ coachId }) => coachId), clientIdsEach],
  )
  const clientIds = new Map(rows.map(({ coach_id, ids }) => [Number(coach_id), ids.map(Number)]))
  return signedIn.map(({ token, coachId }) => ({ ...toUser(coachId, token), clientIds: clientIds.get(coachId) ?? [] }))
}
