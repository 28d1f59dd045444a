import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { expect, test } from 'vitest'
import { queues } from '#app/server/process/jobs.ts'
import { runtime } from '#app/server/process/runtime.ts'
import { modules } from '#modules/registry.ts'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { prepareDatabase } from '#db/migrate.ts'
import { loadBackup, openBackup, type OpenBackup } from '#db/restore.ts'
import { createFileStore } from '#tenants/files/open-store.ts'
import type { FileKey } from '#tenants/files/store.ts'
import { testConfig } from '#tests/support/config.ts'
import {
  call,
  createTempFolder,
  getDemoSignIn,
  queryAsSuperuser,
  serve,
  waitUntilReady,
  type RunningProcess,
} from './support/process.ts'

/**
 * Both demo practices, as `npm run backup` of an earlier version wrote them. When a version is released, replace the file by
 * a backup of that version's demo practices.
 */
const backupFile = path.join(import.meta.dirname, 'support/former-version.backup')

test('an upgrade of an earlier version keeps all rows, and requires no new column of it', async () => {
  const dir = createTempFolder()
  const backup = await openBackup(backupFile)
  const added = runtime.migrations.filter(({ name }) => !(name in backup.header.migrations))
  await installFormerVersion(dir, backup)
  const columns = await listColumns(dir)
  const former = await readRows(dir, columns)
  expect(former.get('client')!.length).toBeGreaterThan(20)

  // Without a worker, which would change rows.
  const running = await serve({ DATA_DIR: dir, ROLE: 'web' })
  await waitUntilReady(running)
  // There are none between a release and the next migration.
  const message = `Migrated the database (${added.length} migration`
  expect(running.output().includes(message)).toBe(added.length > 0)
  const created = await queryAsSuperuser<{ name: string }>(path.join(dir, 'postgres'), 'select name from pgboss.queue')
  expect(created.map(({ name }) => name)).toEqual(expect.arrayContaining(queues.map(({ name }) => name)))

  // The migrations remove nothing, and need nothing that the earlier version doesn't write.
  const upgraded = await readRows(dir, columns)
  for (const [table, rows] of former)
    expect([table, rows.filter((row) => !upgraded.get(table)!.includes(row))]).toEqual([table, []])
  const isNew = ({ table, column }: Column) =>
    !columns.some((known) => known.table === table && known.column === column)
  const needed = (await listColumns(dir)).filter(
    (column) => former.has(column.table) && isNew(column) && column.isNeeded,
  )
  expect(needed).toEqual([])

  await useUpgraded(running, dir, former.get('client')!.length)
  running.child.kill('SIGTERM')
  expect(await running.exit, running.output()).toBe(0)
})

/** Brings the database of `dir` to the state of the backup: with the migrations of then, and its rows and files. */
async function installFormerVersion(dir: string, backup: OpenBackup): Promise<void> {
  const { header, summary } = backup
  const text = gunzipSync(readFileSync(backupFile)).toString('latin1')
  const hasRow = (queue: string) => text.includes(`\t${queue}\t`)
  for (const [name, content] of Object.entries(header.files))
    writeFileSync(path.join(dir, name), Buffer.from(content, 'base64'), { mode: 0o600 })
  const embedded = await startEmbedded({ dir: path.join(dir, 'postgres') })
  const owner = new pg.Client({ connectionString: embedded.ownerUrl })
  const store = createFileStore(testConfig({ DATA_DIR: dir }))
  try {
    await prepareDatabase({
      ownerUrl: embedded.ownerUrl,
      secretKeys: [Buffer.from(header.files['secret.key']!, 'base64').toString('utf8').trim()],
      entities: runtime.entities.filter((entity) => entity.meta.tableName in summary.tables),
      migrations: runtime.migrations.filter(({ name }) => name in header.migrations),
      queues: queues.filter(({ name }) => hasRow(name)),
    })
    await owner.connect()
    await loadBackup(owner, backup, (key, content) => store.write(key as FileKey, Readable.from(content)))
  } finally {
    store.close()
    await owner.end()
    await embedded.stop()
  }
}

type Column = { table: string; column: string; isNeeded: boolean }

/** The columns of all tables. `isNeeded`: an insert that leaves it out fails. */
async function listColumns(dir: string): Promise<Column[]> {
  return withDatabase(dir, () =>
    queryAsSuperuser<Column>(
      path.join(dir, 'postgres'),
      `select relname as "table", attname as "column",
          attnotnull and not atthasdef and attidentity = '' and attgenerated = '' as "isNeeded"
        from pg_class join pg_attribute on attrelid = pg_class.oid
        where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
          and relname not in ('rate_limit', 'schema_migration', 'signature_key')
        order by relname, attname`,
    ),
  )
}

/** The rows of each table, with these columns alone. */
async function readRows(dir: string, columns: Column[]): Promise<Map<string, string[]>> {
  return withDatabase(dir, async () => {
    const rows = new Map<string, string[]>()
    for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
      const names = own.map(({ column }) => `"${column}"`).join(', ')
      const found = await queryAsSuperuser<{ row: string }>(
        path.join(dir, 'postgres'),
        `select row(${names})::text as row from "${table}"`,
      )
      rows.set(
        table,
        found.map(({ row }) => row),
      )
    }
    return rows
  })
}

/** Runs `work` while the database of `dir` runs, also when the product doesn't. */
async function withDatabase<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const embedded = await startEmbedded({ dir: path.join(dir, 'postgres') })
  return work().finally(() => embedded.stop())
}

/** Pages of visitors, clients, administrators and vendors. */
const ofOthers = /^(portal|buy|book|contact|admin|revai|zoom\/webhooks)(\/|$)/

/** The coach of then signs in, opens the pages, and changes what the earlier version wrote. */
async function useUpgraded(running: RunningProcess, dir: string, clients: number): Promise<void> {
  const { cookie, summary } = await call(running, 'POST', '/api/login', { body: getDemoSignIn(dir) })
  expect(cookie, summary).not.toBe('')
  const patterns = modules.flatMap(({ routes = [] }) => routes.map(({ path: pattern }) => pattern))
  const pages = [
    'dashboard',
    'settings',
    ...patterns.filter((pattern) => !pattern.includes(':') && !ofOthers.test(pattern)),
  ]
  expect(pages.length).toBeGreaterThan(20)
  for (const page of pages) {
    const { status, summary: failure } = await call(running, 'GET', `/${page}`, { cookie })
    expect(status, failure).toBe(200)
  }
  const { body } = await call<{ id: number; name: string }[]>(running, 'GET', '/api/clients', { cookie })
  expect(body.length).toBeGreaterThan(3)
  expect(body.length).toBeLessThanOrEqual(clients)
  const changed = await call<{ name: string }>(running, 'PATCH', `/api/clients/${body[0]!.id}`, {
    cookie,
    body: { name: 'Changed After the Upgrade' },
  })
  expect([changed.status, changed.body.name]).toEqual([200, 'Changed After the Upgrade'])
}
