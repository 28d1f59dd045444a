import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import { checkClock } from '#db/migrate.ts'
import { createDatabaseSigner } from '#db/signatures.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { createClient, createCoach, type Coach } from '#tests/support/factories.ts'
import { platformTables } from '#tests/support/row-security.ts'
import { testConfig } from '#tests/support/config.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// SQL of the serving role, as somebody would run it who found a way to: what it can't do whatever it says about itself.

const app = createTestApp()
let db: pg.Client
let coach: Coach
let other: Coach
let admin: Coach

beforeAll(async () => {
  coach = await createCoach({ plan: 'free', password: 'the first of my words' })
  other = await createCoach()
  admin = await createCoach({ isAdmin: true })
  db = new pg.Client({ connectionString: app.appUrl })
  await db.connect()
})
afterAll(() => db?.end())

const signActor = (coachId: number, actorId: number | null) => app.platform.databaseSigner.signActor(coachId, actorId)

/** The rows of the statement, or the error's SQLSTATE, with `tenant` chosen and `actor` signed. Nothing is kept. */
async function run(
  statement: string,
  { tenant = coach.id, actor = null }: { tenant?: number; actor?: number | null } = {},
): Promise<unknown> {
  return runWith(signActor(tenant, actor), statement, tenant)
}

/** As `run`, with any text in `app.actor`. */
async function runWith(token: string, statement: string, tenant = coach.id): Promise<unknown> {
  await db.query('begin')
  try {
    await db.query(`select set_config('app.coach_id', $1, true), set_config('app.actor', $2, true)`, [tenant, token])
    return (await db.query(statement)).rows
  } catch (error) {
    return (error as pg.DatabaseError).code
  } finally {
    await db.query('rollback')
  }
}

const refused = '42501'

/** Tables that SQL of the serving role may change for any coach, and why that does no harm that lasts. */
const unsigned: Record<string, string> = {
  activity: 'a feed beside the history',
  pipeline_activity: 'a feed beside the history',
  busy_time: 'a copy, made again with each change of an appointment',
  google_event: 'a copy of the calendar',
  google_link: 'which appointment is which event; compared with the calendar',
  google_connect_attempt: 'ten minutes, with a proof in the browser',
  history: 'the trigger of another role alone writes it',
  idempotency_key: 'a day',
  imported_event: 'a copy of a calendar',
  recording_candidate: 'what the coach may choose from',
  recording_search: 'when to look next',
  released_subdomain: 'reserves a name for 90 days',
  search_content: 'made again with each change of a record',
  stripe_difference: 'compared again each night',
  stripe_event:
    'which notifications have arrived; but for the date of a bank debit, what they mean is read from Stripe',
  zoom_connect_attempt: 'ten minutes, with a proof in the browser',
  zoom_event: 'which notifications have arrived',
}
const checkFailed = '23514'

describe('the serving role', () => {
  test.each([
    'update account set is_admin = true',
    'update account set is_admin = true where id = (select id from account)',
    `update account set plan = 'premium'`,
    `update account set trial_ends_at = '2999-01-01'`,
    `update account set password_hash = '$argon2id$mine'`,
    'update account set (business_name, is_admin) = (null, true)',
    `update account set module_switches = '{"tasks": true}'`,
    `insert into plan_module_switch (plan, module) values ('pro', 'tasks')`,
    `select set_module_switches('{}')`,
    `select switch_plan_modules('pro', '{}', '{tasks}')`,
    'select password_hash from account',
    'select * from account',
    'select a from account a',
    'update account set bio = password_hash',
    'update account set bio = bio returning password_hash',
    `copy (select password_hash from account) to stdout`,
    ...['is_admin', 'plan', 'trial_ends_at', 'password_hash'].map(
      (column) =>
        `insert into account (id, email, first_name, last_name, created_at, updated_at, ${column})
          values (999999, 'x@example.com', 'X', 'Y', now(), now(), default)`,
    ),
    `insert into account (id, email, first_name, last_name, created_at, updated_at)
      select id, email, first_name, last_name, created_at, updated_at from account
      on conflict (id) do update set is_admin = true`,
    'select * from list_administrators()',
    'create or replace function is_acting_administrator(bigint) returns boolean language sql as $$ select true $$',
    'alter table client disable trigger client_history',
    `set session_replication_role = 'replica'`,
  ])('is refused: %s', async (statement) => {
    expect(await run(statement)).toBe(refused)
  })

  test('still changes what a coach may change, and reads the rest of the account', async () => {
    expect(await run(`update account set bio = 'me' returning bio, is_admin, plan`)).toEqual([
      { bio: 'me', is_admin: false, plan: 'free' },
    ])
    expect(await run('select id from account for update')).toEqual([{ id: coach.id }])
  })

  test('sets a plan only for an administrator, and only the one of its tenant', async () => {
    const setPlan = `select set_plan('premium', now())`
    expect(await run(setPlan)).toBe(refused)
    expect(await run(setPlan, { actor: coach.id })).toBe(refused)
    expect(await run(setPlan, { actor: other.id })).toBe(refused)
    expect(await run(`select set_plan('gold', now())`, { actor: admin.id })).toBe(checkFailed)
    const plans = `select set_plan('premium', now()); select plan from account`
    await db.query(`begin; select set_config('app.coach_id', '${coach.id}', true),
      set_config('app.actor', '${signActor(coach.id, admin.id)}', true)`)
    const results = (await db.query(plans)) as unknown as pg.QueryResult[]
    expect(results[1]!.rows).toEqual([{ plan: 'premium' }])
    await db.query('rollback')
  })

  test('sets the plan that is paid for only as a job, and never as a coach or an administrator', async () => {
    const setPlan = `select set_paid_plan('premium', null, now())`
    for (const actor of [coach.id, admin.id, other.id]) expect(await run(setPlan, { actor })).toBe(refused)
    expect(await run(`select set_paid_plan('gold', null, now())`)).toBe(checkFailed)
    expect(await run(`update account set payment_failed_at = null`)).toBe(refused)
    expect(await run(setPlan, { tenant: other.id })).toHaveLength(1)
  })

  test('starts a trial of 14 days at most, once', async () => {
    expect(await run(`select start_trial(now() + interval '16 days', now())`)).toBe(checkFailed)
    const start = `start_trial(now() + interval '14 days', now())`
    expect(await run(`select ${start} as first`)).toEqual([{ first: true }])
    expect(await run(`select ${start}`, { tenant: other.id })).toEqual([{ start_trial: false }])
  })

  test('stores no password but a hash', async () => {
    expect(await run(`select set_password('a plain word', now(), null)`)).toBe(checkFailed)
    expect(await run(`select set_password('', now(), null)`)).toBe(checkFailed)
    expect(await run(`select set_password(null, now(), null)`)).toBe(checkFailed)
  })

  test('adds no session, token or passkey to another account than the one of its tenant', async () => {
    const rows: Record<string, string> = {
      session: `(coach_id, token_hash, created_at, expires_at, last_seen_at)
        values (${admin.id}, '\\x01', now(), now() + interval '1 day', now())`,
      one_time_token: `(coach_id, kind, token_hash, expires_at) values (${admin.id}, 'reset', '\\x01', now())`,
      passkey: `(coach_id, name, credential_id, public_key, sign_count, transports, created_at)
        values (${admin.id}, 'mine', '\\x01', '\\x01', 0, '{}', now())`,
    }
    for (const [table, row] of Object.entries(rows))
      expect([table, await run(`insert into ${table} ${row}`)]).toEqual([table, refused])
  })
})

describe('the history', () => {
  const rename = `update client set name = 'Forged', created_at = '2001-01-01', updated_at = '2001-01-01'`
  const entry = `select actor_id as actor, created_at as at from history where kind = 'client' order by id desc limit 1`
  beforeAll(() => createClient({ coach }))

  test('has the time of the database, whatever the statement says', async () => {
    const forge = `set local app.now = '2001-01-01'; set local timezone = 'Asia/Tokyo'; ${rename}; ${entry}`
    const begin = `begin; select set_config('app.coach_id', '${coach.id}', true),
      set_config('app.actor', '${signActor(coach.id, null)}', true)`
    await db.query(begin)
    const results = (await db.query(forge)) as unknown as pg.QueryResult<{ actor: number | null; at: Date }>[]
    await db.query('rollback')
    const { actor, at } = results.at(-1)!.rows[0]!
    expect(actor).toBe(null)
    expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000)
    const insert = `insert into client (coach_id, name, email, created_at, updated_at)
      values (${coach.id}, 'Forged', 'a@example.com', '2001-01-01', '2001-01-01')`
    await db.query(begin)
    await db.query(insert)
    const { rows } = await db.query<{ at: Date }>(entry)
    await db.query('rollback')
    expect(Math.abs(rows[0]!.at.getTime() - Date.now())).toBeLessThan(60_000)
  })

  test('names the coach, an administrator or nobody', async () => {
    const recordAs = async (actor: number | null) => {
      const result = await run(`with changed as (${rename} returning id) select id from changed`, { actor })
      return Array.isArray(result) ? 'recorded' : result
    }
    expect([await recordAs(null), await recordAs(coach.id), await recordAs(admin.id)]).toEqual(
      Array(3).fill('recorded'),
    )
    expect([await recordAs(other.id), await recordAs(999_999_999)]).toEqual([refused, refused])
  })

  test('does not name an administrator who is none any more', async () => {
    const former = await createCoach({ isAdmin: true })
    expect(await run(rename, { actor: former.id })).toEqual([])
    await asOwner(app.ownerUrl, (owner) =>
      owner.query(`select set_config('app.coach_id', '${former.id}', true);
        update account set is_admin = false where id = ${former.id}`),
    )
    expect(await run(rename, { actor: former.id })).toBe(refused)
  })

  test('is written by no statement of its own', async () => {
    for (const statement of [
      `insert into history (coach_id, kind, record_id, action, changes, created_at)
        values (${coach.id}, 'client', 1, 'changed', '[]', now())`,
      `update history set actor_id = ${admin.id}`,
      'delete from history',
      'select write_history()',
      'truncate history',
    ])
      expect([statement, await run(statement)]).toEqual([statement, refused])
  })
})

describe('who acts in a transaction', () => {
  const rename = `update client set name = 'Forged' returning id`
  const statements: Record<string, string> = {
    session: `insert into session (coach_id, token_hash, created_at, expires_at, last_seen_at)
      select id, '\\x01', now(), now() + interval '1 day', now() from account`,
    'changed session': `update session set token_hash = '\\x01', expires_at = now() + interval '1 day'`,
    'one-time link': `insert into one_time_token (coach_id, kind, token_hash, expires_at)
      select id, 'reset', '\\x01', now() + interval '1 day' from account`,
    passkey: `insert into passkey (coach_id, name, credential_id, public_key, sign_count, transports, created_at)
      select id, 'mine', '\\x01', '\\x01', 0, '{}', now() from account`,
    email: `update account set email = 'mine@example.com'`,
    'verified address': 'update account set email_verified_at = now()',
    password: `select set_password('$argon2id$mine', now(), null)`,
    trial: `select start_trial(now() + interval '1 day', now())`,
    plan: `select set_plan('premium', now())`,
    'paid plan': `select set_paid_plan('premium', null, now())`,
    record: rename,
    'deleted record': 'delete from client',
    'API key': `insert into api_key (coach_id, name, token_hash, hint, scopes, created_at)
      select id, 'mine', '\\x01', 'hint', '{*:write}', now() from account`,
    'changed API key': `update api_key set scopes = '{*:write}', expires_at = null, token_hash = '\\x02'`,
    file: `insert into stored_file (coach_id, key, size, content_type, kind, record_id, created_at)
      select id, id || '/00112233445566778899aabbccddeeff', 1, 'text/plain', 'resource', 1, now() from account`,
    'turned off second factor': 'delete from authenticator_app',
  }

  beforeAll(() =>
    asOwner(app.ownerUrl, (owner) =>
      owner.query(`select set_config('app.coach_id', '${coach.id}', false);
        insert into api_key (coach_id, name, token_hash, hint, scopes, created_at)
          values (${coach.id}, 'own', '\\x03', 'hint', '{crm:read}', now());
        insert into authenticator_app (coach_id, secret, created_at) values (${coach.id}, 'secret', now())`),
    ),
  )

  test('is nobody but the one whom a process has signed', async () => {
    const own = signActor(coach.id, coach.id)
    const tokens = {
      nothing: '',
      'an id': `${coach.id}`,
      'the administrator': `${admin.id}`,
      'no signature': `${coach.id}:9999999999:`,
      'another key': createDatabaseSigner('a key that this database does not know').signActor(coach.id, coach.id),
      'another coach': signActor(other.id, other.id),
      'another actor': own.replace(/^\d+/, `${admin.id}`),
      'a later end': own.replace(/:(\d+):/, (_, at: string) => `:${Number(at) + 1}:`),
      'a request for credentials': app.platform.databaseSigner.signCredentials(`actor:${coach.id}`),
    }
    for (const [name, token] of Object.entries(tokens))
      for (const [what, statement] of Object.entries(statements))
        expect([name, what, await runWith(token, statement)]).toEqual([name, what, refused])
    for (const [what, statement] of Object.entries(statements))
      if (what !== 'plan') expect([what, await run(statement)]).not.toEqual([what, refused])
  })

  test('is signed for each record and for what opens an account; not for copies, feeds and states', async () => {
    const { rows } = await asOwner(app.ownerUrl, (owner) =>
      owner.query<{ table: string }>(`select c.relname as table from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not exists (select from pg_trigger t
          join pg_proc p on p.oid = t.tgfoid
          where t.tgrelid = c.oid and p.proname in ('write_history', 'require_signed_actor'))
        order by 1`),
    )
    const found = rows.map(({ table }) => table).filter((table) => !platformTables.includes(table))
    expect(found).toEqual(found.filter((table) => table in unsigned))
  })

  test('counts for ten minutes, also with a clock that is 90 seconds off', async () => {
    const signAt = (seconds: number) => {
      vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ['Date'] })
      const token = signActor(coach.id, coach.id)
      vi.useRealTimers()
      return token
    }
    for (const seconds of [-90, 0, 90]) expect(await runWith(signAt(seconds), rename)).toHaveLength(1)
    expect(await runWith(signAt(-601), rename)).toBe(refused)
  })

  test('is verified with keys that the serving role neither reads nor changes', async () => {
    expect(await run('select * from signature_key')).toEqual([])
    expect(await run(`update signature_key set outer_pad = '\\x02' returning 1`)).toEqual([])
    expect(await run('delete from signature_key returning 1')).toEqual([])
    for (const statement of [
      `insert into signature_key values ('\\x01', '\\x02')`,
      'truncate signature_key',
      'alter table session disable trigger session_signed',
      'create or replace function is_signed(text, text) returns boolean language sql as $$ select true $$',
    ])
      expect([statement, await run(statement)]).toEqual([statement, refused])
  })

  test('must be signed for a password hash, too', async () => {
    const find = (token: string) => run(`select password_hash from find_credentials('${coach.email}', '${token}')`)
    const { signCredentials } = app.platform.databaseSigner
    expect(await find(signCredentials(coach.email))).toEqual([
      { password_hash: expect.stringMatching(/^\$argon2id\$/) },
    ])
    for (const token of ['', '::', signCredentials(other.email), signActor(coach.id, coach.id)])
      expect([token, await find(token)]).toEqual([token, refused])
    expect(await run(`select * from find_account_by_email('${coach.email}')`)).toEqual([{ id: coach.id }])
  })

  test('is signed with a key of the last start, and with none that was removed', async () => {
    const [oldKey] = testConfig().secretKeys
    const newKey = randomBytes(16).toString('hex')
    const prepare = (...keys: string[]) =>
      runtime.prepare({ ownerUrl: app.ownerUrl, config: testConfig({ SECRET_KEY: keys.join(',') }) })
    const renameWith = async (key: string) =>
      Array.isArray(await runWith(createDatabaseSigner(key).signActor(coach.id, coach.id), rename))
    const accepted = async () => [await renameWith(oldKey!), await renameWith(newKey)]
    expect(await accepted()).toEqual([true, false])
    await prepare(newKey, oldKey!)
    expect(await accepted()).toEqual([true, true])
    await prepare(newKey)
    expect(await accepted()).toEqual([false, true])
    await prepare(oldKey!)
    expect(await accepted()).toEqual([true, false])
  })

  test('can be signed after each start: one with another key or a wrong clock is refused', async () => {
    const start = (key: string) => runtime.findDatabase({ url: app.appUrl, config: testConfig({ SECRET_KEY: key }) })
    expect(await start(testConfig().secretKeys[0]!)).toBe(app.appUrl)
    await expect(start('a key that this database does not know')).rejects.toThrow(
      "SECRET_KEY can't be used: the database was migrated with another one. Run npm run migrate with this key.",
    )
    expect(() => checkClock(new Date(Date.now() + 90_000))).not.toThrow()
    expect(() => checkClock(new Date(Date.now() - 7.5 * 60_000))).toThrow('differ by 7 minutes')
  })
})
