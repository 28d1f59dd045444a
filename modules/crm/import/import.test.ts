import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { AppError } from '#app/lib/errors.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { googleContacts } from '#tests/support/google-contacts.ts'
import { createCoach, inTenant, contextFor, type Coach } from '#tests/support/factories.ts'
import { createTestApp, concurrently } from '#tests/support/test-app.ts'
import { exportCsv } from '../csv/export.ts'
import { streamClients } from '../queries/export.ts'
import { runImportJob } from './import-job.ts'
import { getErrorFile, getImportPreview, type ImportPreview } from './preview.ts'
import { getImport, getImportFile, listImports, type ImportRecord, type ListedImport } from './queries.ts'
import { listActivities } from '../queries/activities.ts'
import { listClients } from '../queries/clients.ts'
import { loadTimeline } from '../timeline-loader.server.ts'
import { archiveClient, deleteClient } from '../services/clients.ts'
import { loadImportStep } from './import-loader.server.ts'
import { cancelImport, mapColumns, changeEncoding, readImportFile, runImport, startImport } from './service.ts'

const app = createTestApp()

async function createImport(coach: Coach, csv: string | Uint8Array, name = 'contacts.csv'): Promise<number> {
  return startImport(await contextFor(coach), { name, content: Buffer.from(csv) })
}
async function getState(coach: Coach, id: number): Promise<ImportRecord> {
  return getImport(await contextFor(coach), id)
}
const listAll = async (coach: Coach): Promise<ListedImport[]> => (await listImports(await contextFor(coach))).imports
async function preview(coach: Coach, id: number): Promise<ImportPreview> {
  const ctx = await contextFor(coach)
  const record = await getImport(ctx, id)
  return getImportPreview(ctx, record, await getImportFile(ctx, record), { show: 'all', page: 1 })
}
const runJob = (coach: Coach, id: number): Promise<void> =>
  runImportJob(app.platform, { coachId: coach.id, importId: id })
async function runWholeImport(coach: Coach, csv: string | Uint8Array, name?: string): Promise<ImportRecord> {
  const id = await createImport(coach, csv, name)
  await inTenant(coach, (ctx) => runImport(ctx, id))
  await runJob(coach, id)
  return getState(coach, id)
}
const listNames = async (coach: Coach): Promise<string[]> =>
  (await listClients(await contextFor(coach), { rows: null, after: null })).map((client) => client.name).reverse()
async function exportClients(coach: Coach, scope?: 'archive'): Promise<string> {
  let text = ''
  for await (const piece of exportCsv(streamClients(await contextFor(coach), scope))) text += piece
  return text
}
const errorCode = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )
const people = (count: number, from = 1): string =>
  `Name,Email\n${Array.from({ length: count }, (_, index) => `Person ${from + index},p${from + index}@example.com\n`).join('')}`

describe('an import', () => {
  test('adds 200 Google contacts without questions, in the order of the file', async () => {
    const coach = await createCoach()
    const { csv, contacts } = googleContacts({ people: 200, withoutEmail: 2 })
    const id = await createImport(coach, csv)
    expect(await getState(coach, id)).toMatchObject({ status: 'ready', source: 'google', total: 202, position: 0 })
    expect(await preview(coach, id)).toMatchObject({
      counts: { all: 202, create: 200, duplicate: 0, error: 2 },
      remaining: null,
      pages: 5,
    })

    await inTenant(coach, (ctx) => runImport(ctx, id))
    await runJob(coach, id)

    expect(await getState(coach, id)).toMatchObject({
      status: 'done',
      position: 202,
      created: 200,
      duplicates: 0,
      failed: 2,
      leftOut: 0,
    })
    const clients = await listClients(await contextFor(coach), { rows: null, after: null })
    expect(clients.toReversed()).toMatchObject(contacts)
    expect(await listActivities(await contextFor(coach), { rows: 5 })).toMatchObject([
      { type: 'clients_imported', description: '200 clients from contacts.csv' },
    ])
    const { days } = await loadTimeline(await contextFor(coach), clients[0]!.id, new URLSearchParams())
    expect(days.flatMap(({ entries }) => entries)).toMatchObject([{ title: 'Client added' }])
  })

  test('and an export treat archived clients separately', async () => {
    const coach = await createCoach()
    await runWholeImport(coach, people(3))
    const [, second] = await listClients(await contextFor(coach), { rows: null, after: null })
    await inTenant(coach, (ctx) => archiveClient(ctx, second!.id))
    expect(
      [await exportClients(coach), await exportClients(coach, 'archive')].map((csv) =>
        [...csv.matchAll(/^Person \d/gm)].map(([name]) => name),
      ),
    ).toEqual([['Person 1', 'Person 3'], ['Person 2']])
  })

  test('of the same file again adds nothing, and two concurrent imports add it once', async () => {
    const coach = await createCoach()
    const csv = people(450)
    const ids = await Promise.all([createImport(coach, csv), createImport(coach, csv)])
    for (const id of ids) await inTenant(coach, (ctx) => runImport(ctx, id))
    await Promise.all(ids.map((id) => runJob(coach, id)))
    expect(await listNames(coach)).toHaveLength(450)
    expect(await runWholeImport(coach, csv)).toMatchObject({ created: 0, duplicates: 450, status: 'done' })
    expect(await listNames(coach)).toHaveLength(450)
  })

  test('run by two processes concurrently adds each row once', async () => {
    const coach = await createCoach()
    const id = await createImport(coach, people(1000))
    await inTenant(coach, (ctx) => runImport(ctx, id))
    await concurrently(4, () => runJob(coach, id))
    expect(await listNames(coach)).toEqual(Array.from({ length: 1000 }, (_, index) => `Person ${index + 1}`))
    expect(await getState(coach, id)).toMatchObject({ created: 1000, status: 'done' })
  })

  test('that was interrupted keeps whole chunks and resumes after them', async () => {
    const coach = await createCoach()
    const id = await createImport(coach, people(6000))
    await inTenant(coach, (ctx) => runImport(ctx, id))
    const cutter = new pg.Client({ connectionString: app.appUrl })
    await cutter.connect()
    let cutOff = 0
    try {
      while (cutOff < 3 && (await getState(coach, id)).status === 'running') {
        const before = (await getState(coach, id)).position
        let over = false
        const working = runJob(coach, id)
          .then(
            () => 0,
            () => 1,
          )
          .finally(() => (over = true))
        while (!over && (await getState(coach, id)).position === before);
        while (!over)
          await cutter.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
              where usename = current_user and pid <> pg_backend_pid() and xact_start is not null`,
          )
        cutOff += await working
        const { position, created } = await getState(coach, id)
        expect(position % 200).toBe(0)
        expect(created).toBe(position)
        expect(await listNames(coach)).toHaveLength(position)
      }
    } finally {
      await cutter.end()
    }
    expect(cutOff).toBeGreaterThan(0)
    // A turn ends after a while, so that others get theirs.
    while ((await getState(coach, id)).status === 'running') await runJob(coach, id)
    expect(await listNames(coach)).toEqual(Array.from({ length: 6000 }, (_, index) => `Person ${index + 1}`))
  })

  test('adds what the plan allows, reports the rest, and adds that later', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const csv = `${people(8)}Person 1,p1@example.com\nNobody,\n${people(7, 9).split('\n').slice(1).join('\n')}`
    const id = await createImport(coach, csv)
    expect(await preview(coach, id)).toMatchObject({
      counts: { create: 10, 'left-out': 5, duplicate: 1, error: 1 },
      remaining: 10,
    })
    await inTenant(coach, (ctx) => runImport(ctx, id))
    await runJob(coach, id)
    expect(await getState(coach, id)).toMatchObject({ created: 10, duplicates: 1, failed: 1, leftOut: 5, fullAt: 12 })
    const { text } = await getErrorFile(await contextFor(coach), id)
    expect(
      text
        .trim()
        .split('\r\n')
        .map((line) => line.split(',').slice(-2).join()),
    ).toEqual([
      'Name,Email',
      'Nobody,',
      ...Array.from({ length: 5 }, (_, index) => `Person ${11 + index},p${11 + index}@example.com`),
    ])

    const [first] = await listClients(await contextFor(coach), { rows: 1, after: null })
    await inTenant(coach, (ctx) => archiveClient(ctx, first!.id))
    expect(await runWholeImport(coach, text)).toMatchObject({ created: 1, failed: 1, leftOut: 4 })
  })

  test("fifty concurrent imports do not exceed the plan's limit", async () => {
    const coach = await createCoach({ plan: 'pro' })
    const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => createImport(coach, people(3, index * 3))))
    for (const id of ids) await inTenant(coach, (ctx) => runImport(ctx, id))
    await concurrently(10, (index) => runJob(coach, ids[index]!))
    expect(await listNames(coach)).toHaveLength(10)
  })

  test('adds deleted clients again, but not archived ones', async () => {
    const coach = await createCoach()
    await runWholeImport(coach, people(2))
    const [second, first] = await listClients(await contextFor(coach), { rows: null, after: null })
    await inTenant(coach, (ctx) => deleteClient(ctx, first!.id))
    await inTenant(coach, (ctx) => archiveClient(ctx, second!.id))
    const id = await createImport(coach, people(2))
    expect((await preview(coach, id)).rows.map((row) => row.reason)).toEqual([
      null,
      'Already one of your archived clients.',
    ])
  })
})

describe('columns', () => {
  test('with unknown headers must be mapped before the import can run', async () => {
    const coach = await createCoach()
    const id = await createImport(coach, 'Who,Where to write,Shoe size\nAda,ada@example.com,38\n')
    const { mapping, status } = await getState(coach, id)
    expect(status).toBe('mapping')
    expect(await errorCode(inTenant(coach, (ctx) => runImport(ctx, id)))).toBe('conflict')
    expect(await errorCode(inTenant(coach, (ctx) => mapColumns(ctx, id, { ...mapping, name: [[0]] })))).toBe(
      'validation_failed',
    )
    expect(
      await errorCode(inTenant(coach, (ctx) => mapColumns(ctx, id, { ...mapping, name: [[0]], email: [[9]] }))),
    ).toBe('validation_failed')
    await inTenant(coach, (ctx) => mapColumns(ctx, id, { ...mapping, name: [[0]], email: [[1]], notes: [[2]] }))
    await inTenant(coach, (ctx) => runImport(ctx, id))
    await runJob(coach, id)
    expect(await listClients(await contextFor(coach), { rows: null, after: null })).toMatchObject([
      { name: 'Ada', email: 'ada@example.com', notes: '38' },
    ])
    expect(await errorCode(inTenant(coach, (ctx) => runImport(ctx, id)))).toBe('conflict')
    expect(await errorCode(inTenant(coach, (ctx) => cancelImport(ctx, id)))).toBe('conflict')
  })

  test("of HoneyBook's leads may be changed, and what is to be determined stays empty", async () => {
    const coach = await createCoach()
    const leads = await readFile(new URL('./fixtures/honeybook-leads.csv', import.meta.url))
    const id = await createImport(coach, leads)
    const { mapping, status, source } = await getState(coach, id)
    expect({ status, source }).toEqual({ status: 'ready', source: 'honeybook' })
    await inTenant(coach, (ctx) => mapColumns(ctx, id, { ...mapping, program: [[1]], notes: [[5]] }))
    await inTenant(coach, (ctx) => runImport(ctx, id))
    await runJob(coach, id)
    expect(await getState(coach, id)).toMatchObject({ source: 'honeybook', created: 2, failed: 1 })
    expect(await listClients(await contextFor(coach), { rows: null, after: null })).toMatchObject([
      { name: 'Bo Tanaka', phone: null, program: 'Intro call', notes: 'Aug 4, 2025' },
      { name: 'Irene Castellanos', phone: '+1 (312) 555-0144', program: 'Career change', notes: null },
    ])
    expect(await runWholeImport(coach, leads, 'again.csv')).toMatchObject({ created: 0, duplicates: 2, failed: 1 })
  })

  test('are read again in another encoding', async () => {
    const coach = await createCoach()
    const id = await createImport(coach, Buffer.from('Name;Email\nJos\xe9;jose@example.com\n', 'latin1'))
    expect((await preview(coach, id)).rows[0]!.name).toBe('José')
    await inTenant(coach, (ctx) => changeEncoding(ctx, id, 'windows-1251'))
    expect(await getState(coach, id)).toMatchObject({ status: 'mapping', encoding: 'windows-1251' })
    expect((await preview(coach, id)).rows[0]!.name).toBe('Josй')
    expect(await errorCode(inTenant(coach, (ctx) => changeEncoding(ctx, id, 'klingon')))).toBe('validation_failed')
  })
})

describe('files', () => {
  test('that are not contact lists, by content or name, leave nothing behind', async () => {
    const coach = await createCoach()
    for (const content of ['', 'PK\x03\x04', 'Name,Email\n', 'a\0b', `Name,Email\n${'a,b\n'.repeat(50_001)}`]) {
      expect(await errorCode(createImport(coach, content))).toMatch(/validation_failed|too_large/)
    }
    for (const name of ['', 'contacts', 'contacts.html', 'contacts.csv.exe', 'contacts.csv '])
      expect(await errorCode(createImport(coach, people(1), name))).toBe('validation_failed')
    expect(await listAll(coach)).toEqual([])
    expect(await createImport(coach, people(1), 'Contacts.TXT')).toBeGreaterThan(0)
  })

  test('of another coach are not found', async () => {
    const coach = await createCoach()
    const other = await createCoach()
    const id = await createImport(coach, people(1))
    for (const act of [runImport, cancelImport])
      expect(await errorCode(inTenant(other, (ctx) => act(ctx, id)))).toBe('not_found')
    expect(await errorCode(getState(other, id))).toBe('not_found')
    expect(await errorCode(getErrorFile(await contextFor(other), id))).toBe('not_found')
    expect(await listAll(other)).toEqual([])
  })

  test('are kept ten at a time, with sanitized names', async () => {
    const coach = await createCoach()
    const first = await createImport(coach, people(1), '../..\\evil\n\0\ud800.csv')
    expect((await getState(coach, first)).fileName).toBe('.. .. evil  \ufffd.csv')
    for (let more = 0; more < 10; more++) await createImport(coach, people(1))
    expect(await errorCode(getState(coach, first))).toBe('not_found')
  })

  test('are deleted with an erased client if they finished before, and only those of that coach', async () => {
    const [coach, other] = [await createCoach(), await createCoach()]
    for (const one of [coach, other]) await runWholeImport(one, people(2))
    const waiting = await createImport(coach, people(1, 5))
    const clientId = (await listClients(await contextFor(coach), { rows: 1, after: null }))[0]!.id
    const start = app.clock.now
    await inTenant(coach, (ctx) => deleteClient(ctx, clientId))
    app.clock.now = new Date(start.getTime() + 1000)
    const later = await createImport(coach, people(1, 9))
    await inTenant(coach, (ctx) => eraseRecord(ctx, getRecordKind(ctx, 'client'), clientId))
    app.clock.now = start

    expect((await listAll(coach)).map(({ id }) => id)).toEqual([later, waiting])
    expect(await listAll(other)).toHaveLength(1)
  })
})

test('an export imports back identically into another practice', async () => {
  const coach = await createCoach()
  const other = await createCoach()
  await runWholeImport(coach, googleContacts({ people: 700 }).csv)
  const text = await exportClients(coach)
  expect(await runWholeImport(other, text, 'clients.csv')).toMatchObject({ source: 'own', created: 700, failed: 0 })
  expect(await exportClients(other)).toBe(text)
})

describe('reading a file', () => {
  test('happens once at a time for a coach: what finds too many waiting is refused, and other coaches are not', async () => {
    const [coach, other] = [await createCoach(), await createCoach()]
    const mapping = { ...(await getState(coach, await createImport(coach, people(2)))).mapping }
    const [id, otherId] = [await createImport(coach, people(2)), await createImport(other, people(2))]
    const steps = async (as: Coach, importId: number): Promise<unknown[]> => {
      const ctx = await contextFor(as)
      return Promise.all([
        errorCode(createImport(as, people(1))),
        errorCode(inTenant(as, (tx) => mapColumns(tx, importId, mapping))),
        errorCode(inTenant(as, (tx) => changeEncoding(tx, importId, 'windows-1252'))),
        errorCode(loadImportStep(ctx, importId, new URLSearchParams())),
        errorCode(readImportFile(ctx, { id: importId, encoding: null })),
      ])
    }
    const release = Promise.withResolvers<void>()
    const { tenantSlots } = app.platform
    const busy = Array.from({ length: 201 }, () => tenantSlots.run(coach.id, 'preview', () => release.promise))
    expect(await steps(coach, id)).toEqual(Array(5).fill('rate_limited'))
    expect(await steps(other, otherId)).toEqual(Array(5).fill('done'))
    release.resolve()
    await Promise.all(busy)
    expect(await steps(coach, id)).toEqual(Array(5).fill('done'))
  })
})
