import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '#app/server/http/app.ts'
import { createAppApi, createLogger, runtime } from '#app/server/process/runtime.ts'
import { getReplicaUrl } from '#db/migrate.ts'
import { openReplica, type Replica } from '#db/replica.ts'
import { openReadPool, type Query } from '#db/read-pool.ts'
import { getPlatformAnalytics } from '#modules/admin/queries/analytics.ts'
import { parseConfig } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { toReadOnly } from '#tenants/read-only.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { testConfig } from '#tests/support/config.ts'
import { skipFsync } from '#tests/support/database.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { startStandbyPair, type StandbyPair } from '#tests/support/standby.ts'

const clock = { now: new Date('2026-03-10T14:00:00Z') }
const lines: string[] = []
let postgres: StandbyPair
let appUrl: string
let platform: Platform
let replica: Replica
let fetch: (request: Request) => Response | Promise<Response>
let coach: Coach

beforeAll(async () => {
  // A statement that a change on the primary conflicts with is canceled at once.
  postgres = await startStandbyPair('max_standby_streaming_delay = 0')
  await skipFsync(postgres.ownerUrl)
  ;({ appUrl } = await runtime.prepare({ ownerUrl: postgres.ownerUrl, config: testConfig() }))
  const config = testConfig({ APP_DATABASE_URL: appUrl, DATABASE_REPLICA_URL: postgres.replicaUrl, LOG_LEVEL: 'info' })
  const log = createLogger(config, { write: (line) => void lines.push(line) })
  platform = await runtime.open({ appUrl, config, log, now: () => clock.now })
  replica = platform.replica!
  const app = createApp({ platform, api: createAppApi(), ready: () => runtime.isReady(platform) })
  fetch = (request) => app.fetch(request)
  coach = await createCoach({ app: { platform, ownerUrl: postgres.ownerUrl } })
})
afterAll(async () => {
  await platform?.close()
  await postgres?.stop()
})

const get = async (pathname: string, { cookie } = coach): Promise<string> => {
  const response = await fetch(
    new Request(`http://localhost:3000${pathname}`, { headers: { host: 'localhost:3000', cookie } }),
  )
  expect(response.status).toBe(200)
  return response.text()
}

/** The number of new clients in the report. */
async function countClients(as = coach): Promise<number> {
  const { numbers } = JSON.parse(await get('/api/analytics?period=this-month', as))
  return numbers.find(({ name }: { name: string }) => name === 'new-clients').value
}

let added = 0
const addClient = (as = coach) => createClient({ coach: as, email: `client${++added}@example.com` })

const server = { name: 'test.server', text: 'select pg_is_in_recovery() as "isReplica"' }
async function isOnReplica(ctx: Ctx): Promise<boolean> {
  const [rows] = await ctx.queryAll([server], { report: true })
  return (rows as { isReplica: boolean }[])[0]!.isReplica
}

const listChanges = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => /replica/.test(msg))

/** Reports are read from the primary until the replica has recovered, and the log has one line about each. */
async function expectOutage(begin: () => unknown, end: () => unknown, reason: RegExp): Promise<void> {
  expect(await isOnReplica(await contextFor(coach))).toBe(true)
  lines.length = 0
  await begin()
  await addClient()
  const began = performance.now()
  expect(await countClients()).toBe(added)
  expect(performance.now() - began).toBeLessThan(2_000)
  // Only those that find the problem wait.
  for (let n = 0; n < 6; n++) expect(await countClients()).toBe(added)
  expect(performance.now() - began).toBeLessThan(3_000)
  expect(await runtime.isReady(platform)).toBe(true)
  expect(listChanges()).toEqual([expect.objectContaining({ level: 40 })])
  expect(JSON.stringify(listChanges())).toMatch(reason)
  expect(await get('/metrics')).toMatch(/^database_replica_up 0$/m)

  await end()
  clock.now = new Date(clock.now.getTime() + 6_000)
  await expect.poll(async () => isOnReplica(await contextFor(coach)), { timeout: 10_000 }).toBe(true)
  expect(await countClients()).toBe(added)
  expect(await get('/metrics')).toMatch(/^database_replica_up 1\n(#.*\n)*database_replica_lag_seconds 0$/m)
  expect(listChanges().map(({ level }) => level)).toEqual([40, 30])
}

describe('with a replica', () => {
  test('reports are read from it and have what was saved before, and nothing else is', async () => {
    const before = (await replica.getState()).reads
    for (let n = 0; n < 10; n++) {
      await addClient()
      expect(await countClients()).toBe(added)
    }
    const { reads } = await replica.getState()
    expect(reads.replica - before.replica).toBeGreaterThanOrEqual(10)
    expect(reads.primary).toBe(before.primary)
    expect(await get('/metrics')).toContain(`report_reads_total{database="replica"} ${reads.replica}`)

    const ctx = await contextFor(coach)
    expect(await isOnReplica(ctx)).toBe(true)
    expect(await isOnReplica(await contextFor({ id: coach.id, platform: toReadOnly(platform) }))).toBe(true)
    expect(await ctx.query(server)).toEqual([{ isReplica: false }])
    expect(await ctx.queryAll([server])).toEqual([[{ isReplica: false }]])
    expect(await inTenant(coach, isOnReplica)).toBe(false)
  })

  test('an administrator reads the analytics of the platform from it', async () => {
    const admin = await createCoach({ app: { platform, ownerUrl: postgres.ownerUrl }, isAdmin: true })
    const before = (await replica.getState()).reads
    const { months } = await getPlatformAnalytics(await contextFor(admin))
    expect(months.at(-1)).toMatchObject({ month: '2026-03', signUps: 2 })
    expect((await replica.getState()).reads).toEqual({ ...before, replica: before.replica + 1 })
  })

  test('a coach sees only own rows in it, nobody without a tenant sees any, and nothing can be written', async () => {
    const other = await createCoach({ app: { platform, ownerUrl: postgres.ownerUrl } })
    expect([await countClients(other), await countClients()]).toEqual([0, added])
    const clients = { name: 'test.clients', text: 'select coach_id as "coachId" from client' }
    const [own, others] = await Promise.all([read(replica, coach.id, [clients]), read(replica, other.id, [clients])])
    expect([new Set(own[0]), others[0]]).toEqual([new Set(own[0]), []])
    expect(own[0]).toHaveLength(added)

    const pool = openReadPool(getReplicaUrl(postgres.replicaUrl, appUrl))
    try {
      expect(await pool.queryGlobal(clients)).toEqual([])
      const role = { name: 'test.role', text: 'select current_user, pg_is_in_recovery() as "isReplica"' }
      expect(await pool.queryGlobal(role)).toEqual([{ current_user: 'practice_login', isReplica: true }])
      const timeout = { name: 'test.timeout', text: 'show statement_timeout' }
      expect(await pool.queryGlobal(timeout)).toEqual([{ statement_timeout: '8s' }])
      const change = { name: 'test.change', text: 'update client set name = name where coach_id = $1' }
      await expect(pool.queryGlobal({ ...change, values: [coach.id] })).rejects.toMatchObject({ code: '25006' })
    } finally {
      await pool.close()
    }
  })

  test('a report that fails by itself fails, and the replica is used further', async () => {
    const ctx = await contextFor(coach)
    const fail = { name: 'test.fail', text: 'select 1 / $1::int as ratio', values: [0] }
    await expect(ctx.queryAll([fail], { report: true })).rejects.toMatchObject({ code: '22012' })
    expect(await isOnReplica(ctx)).toBe(true)
  })

  test('reports that keep all connections to it busy are no problem of it: the next one reads the primary', async () => {
    const sleep = {
      name: 'test.sleep',
      text: 'select pg_sleep(case when pg_is_in_recovery() then 4 else 0 end)',
    }
    lines.length = 0
    const busy = Array.from({ length: 10 }, () => read(replica, coach.id, [sleep, server]))
    const isSleeping = `select 1 from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()`
    await expect.poll(() => postgres.onStandby(isSleeping)).toHaveLength(10)
    expect(await read(replica, coach.id, [server])).toEqual([[{ isReplica: false }]])
    expect((await replica.getState()).isUsed).toBe(true)
    expect((await Promise.all(busy)).map(([, rows]) => rows)).toEqual(busy.map(() => [{ isReplica: true }]))
    expect(listChanges()).toEqual([])
  })

  test('a report that a change on the primary conflicts with is read from the primary', async () => {
    const ctx = await contextFor(coach)
    lines.length = 0
    const report = ctx.queryAll(
      [
        {
          name: 'test.rows',
          text: 'select count(*)::int as count from client where coach_id = $1',
          values: [coach.id],
        },
        { name: 'test.wait', text: 'select pg_sleep(case when pg_is_in_recovery() then 7 else 0 end)' },
        server,
      ],
      { report: true },
    )
    const isRunning = `select 1 from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()`
    await expect.poll(() => postgres.onStandby(isRunning)).toHaveLength(1)
    const began = performance.now()
    await lockClients()
    const [rows, , servers] = await report
    expect([rows, servers]).toEqual([[{ count: added }], [{ isReplica: false }]])
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(listChanges()).toEqual([expect.objectContaining({ err: expect.objectContaining({ code: '40001' }) })])
    expect((await replica.getState()).isUsed).toBe(true)
  })
})

const read = (from: Replica, coachId: number, queries: Query[]) =>
  from.queryAsTenant(coachId, queries, null, () => platform.readPool.queryAsTenant(coachId, queries))

/** Locks the table, as a migration may: the replay needs it for itself, too. */
const lockClients = () =>
  asOwner(postgres.ownerUrl, (db) => db.query('begin; lock table client in access exclusive mode; commit'))

describe('the primary is read at once, and the replica again later,', () => {
  test('when the replay is paused', async () => {
    await expectOutage(
      async () => {
        await postgres.onStandby('select pg_wal_replay_pause()')
        await expect
          .poll(() => postgres.onStandby('select pg_get_wal_replay_pause_state() as state'))
          .toEqual([{ state: 'paused' }])
      },
      () => postgres.onStandby('select pg_wal_replay_resume()'),
      /it is behind/,
    )
  })

  test('when it is killed', async () => {
    await expectOutage(postgres.killStandby, postgres.startStandby, /terminated|ECONN|ENOENT|57P0/)
  })

  test('when it is frozen', async () => {
    await expectOutage(postgres.freezeStandby, postgres.resumeStandby, /does not respond/)
  })

  test('when it has no free connection', async () => {
    const setLimit = async (limit: number) => {
      await postgres.onPrimary(`alter role practice_login connection limit ${limit}`)
      const found = `select rolconnlimit as limit from pg_roles where rolname = 'practice_login'`
      await expect.poll(() => postgres.onStandby(found)).toEqual([{ limit }])
    }
    // The primary has a connection by then.
    await addClient()
    await setLimit(0)
    const problems: unknown[] = []
    const other = openReplica(getReplicaUrl(postgres.replicaUrl, appUrl), platform.readPool, {
      now: () => clock.now,
      onChange: (problem) => problems.push(problem),
    })
    expect(await read(other, coach.id, [server])).toEqual([[{ isReplica: false }]])
    expect(problems).toEqual([expect.objectContaining({ code: '53300' })])
    await setLimit(-1)
    await expect.poll(async () => (await other.getState()).isUsed).toBe(true)
    expect(await read(other, coach.id, [server])).toEqual([[{ isReplica: true }]])
    await other.close()
  })
})

test('a database that is no standby of the primary is never read', async () => {
  const problems: unknown[] = []
  const other = openReplica(appUrl, platform.readPool, {
    now: () => clock.now,
    onChange: (problem) => problems.push(problem),
  })
  await read(other, coach.id, [server])
  expect(await other.getState()).toMatchObject({ isUsed: false, reads: { replica: 0, primary: 1 } })
  expect(String(problems[0])).toContain('it is no standby of the primary database')
  await other.close()
})

test('DATABASE_REPLICA_URL needs a database of the operator', () => {
  const DATABASE_REPLICA_URL = 'postgresql://replica.example.com/practice'
  expect(() => parseConfig({ DATABASE_REPLICA_URL })).toThrow(
    "DATABASE_REPLICA_URL can't be used: it needs DATABASE_URL.",
  )
  const { replicaUrl } = parseConfig({ DATABASE_REPLICA_URL, DATABASE_URL: 'postgresql://db.example.com/practice' })
  expect(replicaUrl).toContain('sslmode=verify-full')
  const named = parseConfig({
    DATABASE_URL: 'postgresql://db.example.com/practice',
    DATABASE_REPLICA_URL:
      'postgresql://owner:secret@replica.example.com/practice?user=owner&password=secret&pgbouncer=true',
  })
  expect(named.replicaUrl).toBe('postgresql://replica.example.com/practice?pgbouncer=true&sslmode=verify-full')
  expect(getReplicaUrl(named.replicaUrl!, 'postgresql://login:pass@db.example.com/practice')).toBe(
    'postgresql://login:pass@replica.example.com/practice?pgbouncer=true&sslmode=verify-full',
  )
  expect(() => parseConfig({ DATABASE_URL: 'postgresql://a/b', DATABASE_REPLICA_URL: 'mysql://a/b' })).toThrow(
    /^DATABASE_REPLICA_URL can't be used/,
  )
})
