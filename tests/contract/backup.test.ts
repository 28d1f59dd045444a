import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import type pg from 'pg'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import { writeBackup } from '#db/backup.ts'
import { checkEmpty, checkVersion, loadBackup, openBackup } from '#db/restore.ts'
import { keepFile, withContent } from '#tenants/files/files.ts'
import type { FileKey } from '#tenants/files/store.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { testConfig } from '#tests/support/config.ts'
import { dropDatabaseAndRoles, getDatabaseName, withDatabaseName } from '#tests/support/database.ts'
import { contextFor, createClient, createCoach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { createTwoTenants } from '#tests/support/two-tenants.ts'

const app = createTestApp()
const read = (key: string) => app.platform.fileStore.read(key as FileKey).catch(() => null)
/** The bytes that a restore kept. */
const restored = new Map<string, Buffer>()
const keep = async (key: string, content: AsyncIterable<Buffer>) => void restored.set(key, await buffer(content))
const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'practice-backup-')), 'practice.backup')

beforeAll(async () => {
  await createTwoTenants(app)
  const admin = await createCoach({ isAdmin: true })
  await asOwner(app.appUrl, async (db) => {
    await db.query(`insert into erased_subdomain values ('hash of a name', now())`)
    await db.query('select record_coach_activations()')
    await db.query(`select set_config('app.coach_id', $1, false), set_config('app.actor', $2, false)`, [
      String(admin.id),
      app.platform.databaseSigner.signActor(admin.id, admin.id),
    ])
    await db.query(`select switch_plan_modules('free', '{tasks}', '{}')`)
    await db.query(
      `insert into audit_entry (actor_id, actor_email, action, target_id, target_email, created_at)
        values ($1, 'admin@example.com', 'plan_changed', $1, 'admin@example.com', now())`,
      [admin.id],
    )
  })
  await asSuperuser(app.ownerUrl, (db) =>
    db.query(`insert into announcement (title, body, starts_at, ends_at, plans, version, created_at)
      values ('Maintenance', 'On Sunday.', now(), now() + interval '1 day', '{free}', 1, now())`),
  )
  await app.platform.boss.send('mail.reset', { email: 'ada@example.com' })
  await asOwner(app.ownerUrl, (owner) =>
    writeBackup(owner, { file, files: { 'secret.key': Buffer.from('a secret').toString('base64') }, read }),
  )
})

/** A database of its own without a table, dropped when the test ends. */
async function createEmptyDatabase(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asOwner(inject('ownerUrl'), (owner) => owner.query(`create database ${name}`))
  onTestFinished(() => asOwner(inject('ownerUrl'), (owner) => dropDatabaseAndRoles(owner, name)))
  return withDatabaseName(inject('ownerUrl'), name)
}

async function restore(ownerUrl: string, from = file): Promise<void> {
  const backup = await openBackup(from)
  checkVersion(backup.header, runtime.migrations)
  await asOwner(ownerUrl, checkEmpty)
  await runtime.prepare({ ownerUrl, config: testConfig() })
  await asOwner(ownerUrl, (owner) => loadBackup(owner, backup, keep))
}

/** Reads as the superuser, to whom row level security doesn't apply. */
const asSuperuser = <T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> =>
  asOwner(url.replace(/\/\/[^@]*@/, '//postgres@'), work)

const sortAcl = (acl: string): string =>
  `(select array_agg(entry order by entry::text) from unnest(${acl}) entry)::text`

/**
 * Every row of every table, sorted, and what the catalog says about tables, policies, triggers, functions and rights.
 */
function readEverything(url: string): Promise<{ rows: Record<string, string[]>; catalog: unknown[] }> {
  return asSuperuser(url, async (db) => {
    const { rows: tables } = await db.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname not in ('rate_limit', 'schema_migration', 'signature_key') order by 1`,
    )
    const rows: Record<string, string[]> = {}
    for (const { name } of tables) {
      const result = await db.query<{ row: string }>(`select t::text as row from ${name} t order by 1`)
      rows[name] = result.rows.map(({ row }) => row)
    }
    const jobs = await db.query<{ row: string }>(
      `select id || ' ' || name || ' ' || data::text as row from pgboss.job
        where state in ('created', 'retry', 'active') and name !~ '^__' order by 1`,
    )
    rows['pgboss.job'] = jobs.rows.map(({ row }) => row)
    const catalog = await db.query(`
      select relname as name, relrowsecurity, relforcerowsecurity, pg_get_userbyid(relowner) as owner, ${sortAcl('relacl')} as acl
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S', 'i') union all
      select tablename || policyname, permissive = 'PERMISSIVE', true, roles::text, coalesce(qual, '') || coalesce(with_check, '')
        from pg_policies union all
      select tgrelid::regclass || tgname, tgenabled = 'O', true, '', pg_get_triggerdef(oid)
        from pg_trigger where not tgisinternal union all
      select conrelid::regclass || conname, convalidated, true, '', pg_get_constraintdef(oid)
        from pg_constraint where connamespace = 'public'::regnamespace union all
      select oid::regprocedure::text, prosecdef, true, pg_get_userbyid(proowner), ${sortAcl('proacl')}
        from pg_proc where pronamespace = 'public'::regnamespace order by 1, 5`)
    // Each database has roles of its own.
    const text = JSON.stringify(catalog.rows).replaceAll(getDatabaseName(url), 'database')
    return { rows, catalog: JSON.parse(text) as unknown[] }
  })
}

test('a restored database is equal to the one that was backed up, row by row', async () => {
  const before = await readEverything(app.ownerUrl)
  expect(Object.entries(before.rows).flatMap(([table, { length }]) => (length ? [] : [table]))).toEqual([])
  const ownerUrl = await createEmptyDatabase()
  await restore(ownerUrl)

  const after = await readEverything(ownerUrl)
  for (const [table, rows] of Object.entries(before.rows)) expect(after.rows[table], table).toEqual(rows)
  expect(after.catalog).toEqual(before.catalog)
})

test('a restored installation goes on where the backup ended', async () => {
  const ownerUrl = await createEmptyDatabase()
  await restore(ownerUrl)
  const { appUrl } = await runtime.prepare({ ownerUrl, config: testConfig() })
  const platform = await runtime.open({ appUrl, config: testConfig() })
  try {
    const nextId = (from: typeof platform) =>
      from.readPool.queryGlobal<{ id: number }>({ text: `select nextval('account_id_seq') as id` })
    expect(await nextId(platform)).toEqual(await nextId(app.platform))
  } finally {
    await platform.close()
  }
})

test('the bytes of files are in a backup, and come back', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const content = randomBytes(2 * 1024 ** 2 + 1)
  const key = await withContent(await contextFor(coach), Readable.from([content]), {}, async (tx, stored) => {
    await keepFile(tx, stored, { kind: 'account', recordId: coach.id })
    return stored.key
  })
  const withFile = path.join(path.dirname(file), 'file.backup')
  await asOwner(app.ownerUrl, (owner) => writeBackup(owner, { file: withFile, files: {}, read }))
  await restore(await createEmptyDatabase(), withFile)
  expect(restored.get(key)?.equals(content)).toBe(true)
})

test('a backup during writes holds whole transactions', async () => {
  const coach = await createCoach()
  const during = path.join(path.dirname(file), 'during.backup')
  let isWriting = true
  const writing = (async () => {
    for (let n = 0; isWriting; n++) await createClient({ coach, email: `client${n}@example.com` })
  })()
  await asOwner(app.ownerUrl, (owner) => writeBackup(owner, { file: during, files: {}, read }))
  isWriting = false
  await writing
  const ownerUrl = await createEmptyDatabase()
  await restore(ownerUrl, during)
  // Each client was added together with its history.
  const counts = await asSuperuser(ownerUrl, (db) =>
    db.query(
      `select (select count(*) from client where coach_id = $1) as clients,
      (select count(*) from history where coach_id = $1 and kind = 'client' and action = 'created') as entries`,
      [coach.id],
    ),
  )
  expect(counts.rows[0].clients).toBe(counts.rows[0].entries)
})

test('a database that was never migrated has no backup', async () => {
  const ownerUrl = await createEmptyDatabase()
  const never = `${file}.never`
  const backUp = asOwner(ownerUrl, (owner) => writeBackup(owner, { file: never, files: {}, read }))
  await expect(backUp).rejects.toThrow('There is nothing to back up: the product never started with this database.')
  expect([never, `${never}.partial`].filter((name) => existsSync(name))).toEqual([])
})

test('a database with an account is refused', async () => {
  await expect(restore(app.ownerUrl)).rejects.toThrow(/^The database is not empty\./)
})

test('a database with tables of something else is refused', async () => {
  const ownerUrl = await createEmptyDatabase()
  await asOwner(ownerUrl, (db) => db.query('create table something (id int)'))
  await expect(restore(ownerUrl)).rejects.toThrow(/^The database is not empty\./)
})

test('a backup of another version is refused', async () => {
  const { header } = await openBackup(file)
  const [first, ...others] = runtime.migrations
  expect(() => checkVersion(header, others)).toThrow(
    `The backup is of another version: "${first!.name}" is unknown here. Restore it with the version that wrote it`,
  )
  expect(() => checkVersion(header, [...runtime.migrations, { name: 'crm/9999-later', checksum: '' }])).toThrow(
    'The backup is of another version: it lacks "crm/9999-later".',
  )
})

test.each<[what: string, damage: (content: Buffer) => Buffer]>([
  ['cut off', (content) => content.subarray(0, content.length - 200)],
  ['cut off between two lines', (content) => dropLastLine(content)],
  [
    'with a changed byte',
    (content) => (content.writeUInt8(content[content.length >> 1]! ^ 1, content.length >> 1), content),
  ],
  ['with a changed row', (content) => gzipSync(gunzipSync(content).toString('latin1').replace('Ada', 'Eve'), {})],
  ['with a missing row', (content) => dropRow(content)],
  ['that is something else', () => Buffer.from('PK something else')],
  ['that is empty', () => Buffer.alloc(0)],
])('a file %s is refused, and the database stays empty', async (_what, damage) => {
  const damaged = path.join(path.dirname(file), `${randomBytes(4).toString('hex')}.backup`)
  writeFileSync(damaged, damage(readFileSync(file)))
  const ownerUrl = await createEmptyDatabase()
  await expect(restore(ownerUrl, damaged)).rejects.toThrow('The backup is incomplete or damaged. Nothing was restored.')
  await asOwner(ownerUrl, checkEmpty)
  await restore(ownerUrl)
})

function dropLastLine(content: Buffer): Buffer {
  const lines = gunzipSync(content).toString('latin1').trimEnd().split('\n')
  return gzipSync(Buffer.from(`${lines.slice(0, -1).join('\n')}\n`, 'latin1'))
}

function dropRow(content: Buffer): Buffer {
  const lines = gunzipSync(content).toString('latin1').split('\n')
  const section = lines.findIndex((line) => line.startsWith('{"table":"public.client"'))
  return gzipSync(Buffer.from(lines.toSpliced(section + 1, 1).join('\n'), 'latin1'))
}
