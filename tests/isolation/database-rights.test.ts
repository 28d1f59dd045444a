import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { createClient, createCoach, type Coach } from '#tests/support/factories.ts'
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

/** The rows of the last statement, or the error's SQLSTATE, with `tenant` and `actor` chosen. Nothing is kept. */
async function run(statement: string, { tenant = coach.id, actor = '' as number | '' } = {}): Promise<unknown> {
  await db.query('begin')
  try {
    await db.query(`select set_config('app.coach_id', $1, true), set_config('app.actor', $2, true)`, [tenant, actor])
    return (await db.query(statement)).rows
  } catch (error) {
    return (error as pg.DatabaseError).code
  } finally {
    await db.query('rollback')
  }
}

const refused = '42501'
const checkFailed = '23514'

describe('the serving role', () => {
  test.each([
    'update account set is_admin = true',
    'update account set is_admin = true where id = (select id from account)',
    `update account set plan = 'premium'`,
    `update account set trial_ends_at = '2999-01-01'`,
    `update account set password_hash = '$argon2id$mine'`,
    'update account set (business_name, is_admin) = (null, true)',
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
      set_config('app.actor', '${admin.id}', true)`)
    const results = (await db.query(plans)) as unknown as pg.QueryResult[]
    expect(results[1]!.rows).toEqual([{ plan: 'premium' }])
    await db.query('rollback')
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
    await db.query(`begin; select set_config('app.coach_id', '${coach.id}', true)`)
    const results = (await db.query(forge)) as unknown as pg.QueryResult<{ actor: number | null; at: Date }>[]
    await db.query('rollback')
    const { actor, at } = results.at(-1)!.rows[0]!
    expect(actor).toBe(null)
    expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000)
    const insert = `insert into client (coach_id, name, email, created_at, updated_at)
      values (${coach.id}, 'Forged', 'a@example.com', '2001-01-01', '2001-01-01')`
    await db.query(`begin; select set_config('app.coach_id', '${coach.id}', true)`)
    await db.query(insert)
    const { rows } = await db.query<{ at: Date }>(entry)
    await db.query('rollback')
    expect(Math.abs(rows[0]!.at.getTime() - Date.now())).toBeLessThan(60_000)
  })

  test('names the coach, an administrator or nobody', async () => {
    const recordAs = async (actor: number | '') => {
      const result = await run(`with changed as (${rename} returning id) select id from changed`, { actor })
      return Array.isArray(result) ? 'recorded' : result
    }
    expect([await recordAs(''), await recordAs(coach.id), await recordAs(admin.id)]).toEqual(Array(3).fill('recorded'))
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
