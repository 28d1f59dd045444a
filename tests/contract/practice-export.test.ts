import { createHash } from 'node:crypto'
import { createWriteStream, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { startWorkers } from '#app/server/process/jobs.ts'
import { runtime } from '#app/server/process/runtime.ts'
import { exportVersion, type ExportManifest } from '#modules/core/practice-export/format.ts'
import {
  importPractice,
  type ImportOptions,
  type ImportSummary,
} from '#modules/core/practice-export/import-practice.ts'
import { failExport, makeExport } from '#modules/core/practice-export/make-export.ts'
import { listExportTables } from '#modules/core/practice-export/tables.ts'
import { writeExport } from '#modules/core/practice-export/write-export.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { checkCredentials } from '#tenants/auth/sign-in.ts'
import type { Ctx } from '#tenants/context.ts'
import { findExport, openExport, requestExport } from '#tenants/exports/exports.ts'
import { deleteExpiredExports, sendExportEmail } from '#tenants/exports/jobs.ts'
import { reconcileFiles } from '#tenants/files/jobs.ts'
import { listOutbox } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { readArchive, writeArchive } from '#tests/support/archive.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { testConfig } from '#tests/support/config.ts'
import { createDatabase } from '#tests/support/database.ts'
import { contextFor, createCoach, type Coach } from '#tests/support/factories.ts'
import { listTenantTables } from '#tests/support/row-security.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { createTwoTenants, leakMarker, tenantPassword, type TwoTenants } from '#tests/support/two-tenants.ts'

const app = createTestApp()
const folder = mkdtempSync(path.join(os.tmpdir(), 'practice-export-'))
const file = path.join(folder, 'ada.zip')
let tenants: TwoTenants
let exported: Map<string, Buffer>
/** Another installation, which has taken it in as this practice. */
let target: Target
let imported: ImportSummary
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  tenants = await createTwoTenants(app)
  // An import doesn't take what Stripe alone knows, so that it would differ.
  await asOwner(app.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(tenants.ada.id)])
    for (const { name, isOnlyToRead } of listExportTables(app.platform).tables)
      if (isOnlyToRead) await db.query(`delete from ${name} where coach_id = $1`, [tenants.ada.id])
  })
  exported = await save(await contextFor(tenants.ada), file)
  target = await createTarget()
  imported = await target.take()
})
afterAll(async () => {
  for (const close of closers) await close()
})

async function save(ctx: Ctx, to: string): Promise<Map<string, Buffer>> {
  await writeExport(ctx, (archive) => pipeline(archive, createWriteStream(to)))
  return readArchive(to)
}

const readManifest = (files: Map<string, Buffer>) =>
  JSON.parse(files.get('manifest.json')!.toString()) as ExportManifest

type Target = {
  platform: Platform
  ownerUrl: string
  take: (from?: string, options?: ImportOptions) => Promise<ImportSummary>
}

/** Another installation, without practices. */
async function createTarget(): Promise<Target> {
  const { ownerUrl, drop } = await createDatabase(inject('ownerUrl'))
  const config = testConfig({ DATA_DIR: mkdtempSync(path.join(folder, 'data-')) })
  const platform = await runtime.open({ appUrl: ownerUrl, config, now: () => app.clock.now })
  closers.push(async () => {
    await platform.close()
    await drop()
  })
  return {
    platform,
    ownerUrl,
    take: (from = file, options = {}) =>
      asOwner(ownerUrl, (owner) => importPractice({ owner, platform }, from, options)),
  }
}

/** The number of rows of each table that has any, of all coaches. */
const countAllRows = ({ ownerUrl }: { ownerUrl: string }): Promise<Record<string, number>> =>
  asOwner(ownerUrl.replace(/\/\/[^@]*@/, '//postgres@'), async (db) => {
    const counts: Record<string, number> = {}
    for (const table of await listTenantTables(db)) {
      const { rows } = await db.query<{ n: number }>(`select count(*)::int as n from "${table}"`)
      if (rows[0]!.n) counts[table] = rows[0]!.n
    }
    return counts
  })

async function listBytes({ fileStore }: Platform): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of fileStore.list()) keys.push(key)
  return keys
}

describe('an export', () => {
  test('that is imported and exported again is identical, file by file', async () => {
    expect(readManifest(exported).tables.filter(({ rows }) => rows === 0)).toEqual([])
    expect([...exported.keys()].filter((name) => name.startsWith('files/')).length).toBeGreaterThan(1)
    const ctx = await loadCoachContext(target.platform, imported.coachId, 'test')
    const again = await save(ctx!, path.join(folder, 'again.zip'))
    expect([...again.keys()]).toEqual([...exported.keys()])
    for (const [name, content] of exported)
      expect([name, again.get(name)!.toString()]).toEqual([name, content.toString()])
  })

  test('has the rows of its coach, and none of another', async () => {
    const { ada } = tenants
    const { tables } = listExportTables(app.platform)
    await asOwner(app.ownerUrl, async (db) => {
      await db.query(`select set_config('app.coach_id', $1, false)`, [String(ada.id)])
      for (const { name, rows } of readManifest(exported).tables) {
        const where = tables.find((table) => table.name === name)!.where
        const own = await db.query(
          `select id from "${name}" r where ${name === 'account' ? 'id' : 'coach_id'} = $1 and ${where}`,
          [ada.id],
        )
        expect([name, rows]).toEqual([name, own.rowCount])
      }
    })
    // Texts of the second practice name their table. Both have this one.
    const leak = new RegExp(`${leakMarker}\\.(?!(?:invoice|contract)_file)`)
    for (const [name, content] of exported) expect([name, leak.test(content.toString())]).toEqual([name, false])
  })

  test('has no way to sign in, and no secret', () => {
    const { tables } = listExportTables(app.platform)
    const columns = tables.flatMap(({ name, columns: all }) => all.map((column) => `${name}.${column.name}`))
    expect(columns.filter((name) => /token|secret|password|hash|verifier|url/.test(name)).toSorted()).toEqual([
      'account.logo_url',
      'account.profile_image_url',
      'appointment.audio_url',
      'appointment.meeting_url',
      // Always null: holds of visitors are left out.
      'busy_time.hold_token_hash',
      'client_view.url',
      'imported_event.key_hash',
      'resource.url',
      // Always null.
      'resource_share.password_hash',
      'session_summary.lines_hash',
    ])
    for (const [name, content] of exported) expect([name, /\$argon2/.test(content.toString())]).toEqual([name, false])
  })

  test('opens in a browser from a folder: every link leads to a file, and nothing else is loaded', () => {
    const pages = [...exported].filter(([name]) => name.endsWith('.html'))
    expect(pages.length).toBeGreaterThan(10)
    for (const [name, content] of pages) {
      const html = content.toString()
      expect([
        name,
        /<script|<img|<link|\ssrc=|https?:\/\/(?!www\.w3)/.exec(html.replaceAll(/<d[dt]>[^<]*/g, ''))?.[0],
      ]).toEqual([name, undefined])
      for (const [, href] of html.matchAll(/href="([^"#]+)/g))
        expect([
          name,
          href,
          exported.has(path.posix.join(path.posix.dirname(name), decodeURIComponent(href!))),
        ]).toEqual([name, href, true])
    }
  })

  test('escapes what people write in its pages', async () => {
    const coach = await createCoach({ plan: 'pro', businessName: '<script>alert(1)</script> & "Co"' })
    const files = await save(await contextFor(coach), path.join(folder, 'escaped.zip'))
    expect(files.get('index.html')!.toString()).toContain(
      '<h1>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Co&quot;</h1>',
    )
  })
})

describe('an import', () => {
  let unused: Target
  beforeAll(async () => {
    unused = await createTarget()
  })

  test('keeps ids and history, finds content, and goes on with new ids', async () => {
    const { coachId } = imported
    await asOwner(target.ownerUrl, async (db) => {
      await db.query(`select set_config('app.coach_id', $1, false)`, [String(coachId)])
      const { rows } = await db.query(
        `select (select count(*)::int from search_content) as found,
          (select count(*)::int from history where actor_id = $1) as own,
          (select max(id) < nextval('client_id_seq') from client) as continues,
          (select count(*)::int from pg_trigger where tgenabled <> 'O' and not tgisinternal) as disabled`,
        [coachId],
      )
      expect(rows[0]).toEqual({ found: expect.any(Number), own: expect.any(Number), continues: true, disabled: 0 })
      expect(rows[0].found).toBeGreaterThan(10)
      expect(rows[0].own).toBeGreaterThan(10)
    })
    const ctx = (await loadCoachContext(target.platform, coachId, 'test'))!
    expect(ctx.account).toMatchObject({ email: 'ada@example.com', plan: 'premium', emailVerified: false })
  })

  test('invites the coach, or sets a password', async () => {
    const { rows } = await asOwner(target.ownerUrl, (db) =>
      db.query(`select data from pgboss.job where name = 'mail.invitation'`),
    )
    expect(rows).toEqual([{ data: { coachId: expect.any(Number), email: 'ada@example.com' } }])
    const other = { email: 'grace@example.com', subdomain: null, password: 'another rare passphrase' }
    const weak = target.take(file, { ...other, password: 'password' })
    await expect(weak).rejects.toThrow(/password/i)
    const { coachId, plan } = await target.take(file, { ...other, plan: 'free' })
    expect(plan).toBe('free')
    const host = { address: '127.0.0.1', tenant: null }
    expect(await checkCredentials(target.platform, other, host)).toBe(coachId)
  })

  test('is refused if the address or the subdomain is taken, and writes nothing', async () => {
    const before = [await countAllRows(target), await listBytes(target.platform)]
    await expect(target.take(file, { subdomain: null })).rejects.toThrow(
      /^An account with this email address exists here\. Nothing was imported\./,
    )
    await expect(target.take(file, { email: 'grace@example.com' })).rejects.toThrow(
      /^The web address of this practice is taken here\./,
    )
    expect([await countAllRows(target), await listBytes(target.platform)]).toEqual(before)
  })

  const change = (work: (files: Map<string, Buffer>, manifest: ExportManifest) => void) => async (to: string) => {
    const files = new Map(exported)
    const manifest = readManifest(files)
    work(files, manifest)
    if (files.has('manifest.json')) files.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
    await writeArchive(to, files)
  }
  /** With the checksums that belong to it. */
  const rewrite = (name: string, edit: (content: string) => string) =>
    change((files, manifest) => {
      const content = Buffer.from(edit(files.get(name)!.toString()))
      files.set(name, content)
      manifest.files[name] = { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
    })
  const patch = (edit: (content: Buffer) => Buffer) => async (to: string) => writeFileSync(to, edit(readFileSync(file)))

  test.each<[what: string, make: (to: string) => Promise<void>, message: RegExp]>([
    ['is cut off', patch((content) => content.subarray(0, content.length - 200)), /incomplete or damaged/],
    ['is something else', patch(() => Buffer.from('PK something else')), /incomplete or damaged/],
    ['is empty', patch(() => Buffer.alloc(0)), /incomplete or damaged/],
    [
      'has a changed byte',
      patch((content) => (content.writeUInt8(content[2000]! ^ 1, 2000), content)),
      /incomplete or damaged/,
    ],
    [
      'has a name that leaves its folder',
      patch((content) =>
        Buffer.from(content.toString('latin1').replaceAll('data/client.jsonl', '../a/client.jsonl'), 'latin1'),
      ),
      /invalid relative path/,
    ],
    [
      'has a row that was changed',
      change((files) =>
        files.set(
          'data/client.jsonl',
          Buffer.from(files.get('data/client.jsonl')!.toString().replace('Gunilla', 'Gunillo')),
        ),
      ),
      /data\/client\.jsonl was changed/,
    ],
    ['lacks a file', change((files) => files.delete('data/task.jsonl')), /data\/task\.jsonl is missing/],
    ['has a file too many', change((files) => files.set('data/more.jsonl', Buffer.from(''))), /doesn't belong to it/],
    ['has no manifest', change((files) => files.delete('manifest.json')), /manifest\.json is missing/],
    [
      'has another version of the format',
      change((_, manifest) => void (manifest.version = exportVersion + 1)),
      /has version 2 of the format/,
    ],
    [
      'is of another version of the product',
      change((_, manifest) => void (manifest.migrations['crm/9999-later'] = '')),
      /^The export is of another version: "crm\/9999-later" is unknown here/,
    ],
    ['lacks a table', change((_, manifest) => void manifest.tables.pop()), /its tables are not those/],
    [
      'has fewer rows than it says',
      rewrite('data/task.jsonl', (lines) => lines.replace(/^.*\n/, '')),
      /another number of rows/,
    ],
    [
      'has a row twice',
      rewrite('data/client.jsonl', (lines) => lines.replace(/^(.*\n).*\n/, '$1$1')),
      /client does not accept a row \(client_pkey\)/,
    ],
    [
      'has a row that breaks a rule',
      rewrite('data/client.jsonl', (lines) => lines.replace(/"progress":\d+/, '"progress":1000')),
      /client does not accept a row/,
    ],
    [
      'has a row that refers to nothing',
      rewrite('data/task.jsonl', (lines) => lines.replace(/"client_id":\d+/, '"client_id":99999')),
      /task does not accept a row/,
    ],
    [
      'has an id that would use up all ids',
      rewrite('data/history.jsonl', (lines) => lines.replace(/"id":1,/, '"id":9007199254740991,')),
      /an id that is out of range/,
    ],
    [
      'has a row that is no JSON',
      rewrite('data/task.jsonl', (lines) => lines.replace('{', '')),
      /does not accept a row/,
    ],
    [
      'would fill the disk',
      change((files) => files.set('data/task.jsonl', Buffer.alloc(17 * 1024 ** 2, 10))),
      /says that it has 17825792 bytes/,
    ],
  ])('that %s is refused', async (_what, make, message) => {
    const bad = path.join(folder, 'bad.zip')
    await make(bad)
    await expect(unused.take(bad)).rejects.toThrow(message)
  })

  test('that was refused has written nothing', async () => {
    expect([await countAllRows(unused), await listBytes(unused.platform)]).toEqual([{}, []])
  })
})

describe('the export that a coach asks for', () => {
  const ask = async (coach: Coach, password = tenantPassword) =>
    requestExport(await contextFor(coach), password, { userAgent: null, address: '127.0.0.1' })
  const find = async (coach: Coach) => findExport(await contextFor(coach))
  const make = async (coach: Coach) => makeExport(app.platform, { coachId: coach.id, id: (await find(coach))!.id })
  const wait = (hours: number) => void (app.clock.now = new Date(app.clock.now.getTime() + hours * 3_600_000))

  test('needs the password, is made once at a time, and at most once an hour', async () => {
    const coach = await createCoach({ password: tenantPassword })
    await expect(ask(coach, 'another password')).rejects.toThrow('This password is wrong.')
    expect(await find(coach)).toBeNull()
    const results = await concurrently(5, () => ask(coach))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(ask(coach)).rejects.toThrow('Your export is being made already.')
    await make(coach)
    await expect(ask(coach)).rejects.toThrow(/^You can make one export an hour\. Try again at /)
    wait(1)
    await ask(coach)
    expect(await find(coach)).toMatchObject({ state: 'running', progress: 0 })
  })

  test('is kept for three days, counts towards no storage, and is no orphan', async () => {
    const coach = await createCoach({ password: tenantPassword })
    const ctx = await contextFor(coach)
    await ask(coach)
    const before = await app.platform.storageUsage.read(ctx)
    await make(coach)
    expect((await app.platform.storageUsage.read(ctx)) - before).toBeLessThan(10_000)
    const { size, read } = await openExport(ctx)
    const bytes = await buffer(await read())
    expect([bytes.length, bytes.subarray(0, 2).toString()]).toEqual([size, 'PK'])
    await sendExportEmail(app.platform, { coachId: coach.id, id: (await find(coach))!.id })
    const [email] = await listOutbox(app.platform.config)
    expect(email).toMatchObject({ to: coach.email, subject: 'Your export is ready' })

    const [key] = (await listBytes(app.platform)).filter((own) => own.startsWith(`${coach.id}/`))
    wait(3 * 24 - 1)
    await reconcileFiles(app.platform)
    await deleteExpiredExports(app.platform)
    expect(await find(coach)).toMatchObject({ state: 'ready' })
    wait(1)
    await expect(openExport(ctx)).rejects.toThrow('This export is not there any more.')
    await deleteExpiredExports(app.platform)
    const deleted = await asOwner(app.ownerUrl, (db) =>
      db.query(`select 1 from pgboss.job where name = 'platform.delete-bytes' and data ->> 'key' = $1`, [key]),
    )
    expect([await find(coach), deleted.rowCount]).toEqual([null, 1])
  })

  test('that could not be stored has failed after the last try, and can be asked for again', async () => {
    const coach = await createCoach({ password: tenantPassword })
    await ask(coach)
    await asOwner(app.ownerUrl, (db) =>
      db.query(
        `update pgboss.job set retry_limit = 1, retry_delay = 0
          where name = 'platform.make-export' and data->>'coachId' = $1`,
        [coach.id],
      ),
    )
    const { id } = (await find(coach))!
    const worker = await runtime.open({ appUrl: app.appUrl, config: testConfig({ ROLE: 'worker' }) })
    onTestFinished(() => worker.close())
    const write = vi.spyOn(worker.fileStore, 'write').mockRejectedValue(new Error('The store is away.'))
    await startWorkers(worker)
    await expect.poll(() => find(coach), { timeout: 20_000 }).toMatchObject({ state: 'failed' })
    expect(write.mock.calls.filter(([key]) => key.startsWith(`${coach.id}/`))).toHaveLength(2)
    const subjects = async () =>
      (await listOutbox(worker.config)).filter(({ to }) => to === coach.email).map(({ subject }) => subject)
    await expect.poll(subjects, { timeout: 20_000 }).toContain('Your export could not be made')

    // An administrator tries the job again, once the store is back.
    await makeExport(app.platform, { coachId: coach.id, id })
    expect(await find(coach)).toMatchObject({ id, state: 'ready' })
  })

  test('that was given up can be asked for again at once, and its job makes nothing then', async () => {
    const coach = await createCoach({ password: tenantPassword })
    await ask(coach)
    const { id } = (await find(coach))!
    await failExport(app.platform, { coachId: coach.id, id })
    expect(await find(coach)).toMatchObject({ id, state: 'failed' })
    await ask(coach)
    await makeExport(app.platform, { coachId: coach.id, id })
    await failExport(app.platform, { coachId: coach.id, id })
    expect(await find(coach)).toMatchObject({ state: 'running' })
  })

  test('whose process was killed again and again can be asked for again after some hours', async () => {
    const coach = await createCoach({ password: tenantPassword })
    await ask(coach)
    wait(7)
    expect(await find(coach)).toMatchObject({ state: 'failed' })
    await ask(coach)
    expect(await find(coach)).toMatchObject({ state: 'running' })
  })
})
