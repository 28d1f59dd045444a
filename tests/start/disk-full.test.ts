import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, createTempFolder, getStatus, queryAsSuperuser, serve, waitUntilReady } from './support/process.ts'

/** Enough for an empty installation. */
const diskSize = '200m'
const message = 'The disk of the database is full. Nothing was saved.'

test('a full disk fails writes with 503; reads go on, and all works again within five seconds of room', async () => {
  const dir = createTempFolder()
  const database = path.join(dir, 'postgres')
  const isSmall = mountSmallDisk(dir)
  const running = await serve({ DATA_DIR: dir }, '--empty')
  await waitUntilReady(running)
  const account = { email: 'ada@example.com', password: 'long and uncommon' }
  const { cookie } = await call(running, 'POST', '/api/register', {
    body: { ...account, firstName: 'Ada', lastName: 'Lovelace' },
  })
  const client = await call<{ id: number }>(running, 'POST', '/api/clients', {
    cookie,
    body: { name: 'Grace Hopper', email: 'grace@example.com' },
  })
  const notes = `/api/clients/${client.body.id}/interactions`
  const acknowledged: number[] = []
  /** The text compresses badly: it needs new pages. */
  const write = async () => {
    const body = { name: 'Call', content: randomBytes(20_000).toString('hex'), interactionDate: '2026-03-09T10:00:00Z' }
    const answer = await call<{ id: number; message: string }>(running, 'POST', notes, { cookie, body })
    if (answer.status === 201) acknowledged.push(answer.body.id)
    return answer
  }
  expect((await write()).status).toBe(201)

  const disk = path.join(dir, 'ballast')
  const ways: [fill: () => unknown, makeRoom: () => unknown][] = [
    [() => refuseWrites(database), () => acceptWrites(database)],
    // Refused writes alone must do where no file system can be mounted.
    ...(isSmall ? ([[() => fill(disk), () => rmSync(disk)]] as [() => void, () => void][]) : []),
  ]
  for (const [begin, end] of ways) {
    await begin()
    await expect.poll(async () => (await write()).status, { timeout: 10_000, interval: 0 }).toBe(503)
    const refused = await write()
    expect([refused.status, refused.retryAfter, refused.body.message]).toEqual([503, '5', message])
    expect(await getStatus(running.port, '/readyz')).toBe(503)
    expect(await getStatus(running.port, '/healthz')).toBe(200)
    for (const target of ['/api/clients', notes, '/api/search?q=grace', '/clients', '/dashboard'])
      expect([target, (await call(running, 'GET', target, { cookie })).status]).toEqual([target, 200])
    expect([200, 503]).toContain((await call(running, 'POST', '/api/login', { body: account })).status)

    await end()
    const began = performance.now()
    await waitUntilReady(running)
    expect((await write()).status).toBe(201)
    expect((await call(running, 'POST', '/api/login', { body: account })).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(5_000)
  }
  if (isSmall) {
    fill(disk)
    const statuses = new Set<number>()
    const request = async () => {
      statuses.add((await write()).status)
      statuses.add((await call(running, 'GET', '/clients', { cookie })).status)
      // Without room for its log the database ends, and doesn't start.
      await queryAsSuperuser(database, 'select pg_switch_wal()').catch(() => {})
      return running.output()
    }
    await expect.poll(request, { timeout: 20_000, interval: 100 }).toContain("doesn't start: the disk is full.")
    rmSync(disk)
    const began = performance.now()
    await waitUntilReady(running)
    expect((await write()).status).toBe(201)
    expect(performance.now() - began).toBeLessThan(5_000)
    expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
  }
  const kept = await queryAsSuperuser<{ id: string }>(database, 'select id from client_interaction')
  expect(acknowledged.filter((id) => !kept.some((row) => Number(row.id) === id))).toEqual([])
})

/** Mounts a small file system in `dir`. Returns false where that isn't permitted. */
function mountSmallDisk(dir: string): boolean {
  const args = ['-t', 'tmpfs', '-o', `size=${diskSize},mode=755`, 'tmpfs', dir]
  if (process.getuid?.() !== 0 || spawnSync('mount', args).status !== 0) return false
  onTestFinished(() => void spawnSync('umount', ['--lazy', dir]))
  return true
}

/** Writes a file until the disk is full. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  try {
    for (const size of [1024 * 1024, 4096]) {
      try {
        for (;;) writeSync(descriptor, Buffer.alloc(size))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Fails every write as a full disk does, on any machine. */
async function refuseWrites(database: string): Promise<void> {
  await queryAsSuperuser(
    database,
    `create function refuse_write() returns trigger language plpgsql as $$
      begin raise exception 'the disk is full' using errcode = 'disk_full'; end $$`,
  )
  await onAllTables(
    database,
    'create trigger refuse_write before insert or update on %s execute function refuse_write()',
  )
}

const acceptWrites = (database: string): Promise<void> => onAllTables(database, 'drop trigger refuse_write on %s')

async function onAllTables(database: string, statement: string): Promise<void> {
  await queryAsSuperuser(
    database,
    `do $$ declare name regclass; begin
      for name in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      loop execute format('${statement}', name); end loop; end $$`,
  )
}
