import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { AppError } from '#app/lib/errors.ts'
import { eraseRecord, kindOf } from '#modules/core/trash.ts'
import { googleContacts } from '#tests/support/google-contacts.ts'
import { aCoach, aHouse, asCoach, atOnce, ctxFor, type Coach } from '#tests/support/test-app.ts'
import { exportCsv } from '../csv/export.ts'
import { allClients } from '../queries/export.ts'
import {
  errorFileOf,
  fileOf,
  importOf,
  previewOf,
  recentImports,
  type ImportRecord,
  type Preview,
} from '../queries/imports.ts'
import { activitiesNewestFirst } from '../queries/activities.ts'
import { clientsNewestFirst } from '../queries/clients.ts'
import { timelineOf } from '../timeline-loader.server.ts'
import { archiveClient, deleteClient } from './clients.ts'
import { cancelImport, chooseColumns, chooseEncoding, importJob, runImport, startImport } from './import.ts'

const house = aHouse()

async function started(coach: Coach, csv: string | Uint8Array, name = 'contacts.csv'): Promise<number> {
  return startImport(await ctxFor(coach), { name, content: Buffer.from(csv) })
}
async function stateOf(coach: Coach, id: number): Promise<ImportRecord> {
  return importOf(await ctxFor(coach), id)
}
async function preview(coach: Coach, id: number): Promise<Preview> {
  const ctx = await ctxFor(coach)
  const record = await importOf(ctx, id)
  return previewOf(ctx, record, await fileOf(ctx, record), { show: 'all', page: 1 })
}
const work = (coach: Coach, id: number): Promise<void> => importJob(house.platform, { coachId: coach.id, importId: id })
async function ran(coach: Coach, csv: string | Uint8Array, name?: string): Promise<ImportRecord> {
  const id = await started(coach, csv, name)
  await asCoach(coach, (ctx) => runImport(ctx, id))
  await work(coach, id)
  return stateOf(coach, id)
}
const namesOf = async (coach: Coach): Promise<string[]> =>
  (await clientsNewestFirst(await ctxFor(coach), { rows: null, after: null })).map((client) => client.name).reverse()
async function exported(coach: Coach, place?: 'archive'): Promise<string> {
  let text = ''
  for await (const piece of exportCsv(allClients(await ctxFor(coach), place))) text += piece
  return text
}
const codeOf = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )
const people = (count: number, from = 1): string =>
  `Name,Email\n${Array.from({ length: count }, (_, at) => `Person ${from + at},p${from + at}@example.com\n`).join('')}`

describe('an import', () => {
  test('brings 200 people of Google Contacts in, without asking, in the order of the file', async () => {
    const coach = await aCoach(house)
    const { csv, contacts } = googleContacts({ people: 200, withoutEmail: 2 })
    const id = await started(coach, csv)
    expect(await stateOf(coach, id)).toMatchObject({ status: 'ready', source: 'google', total: 202, position: 0 })
    expect(await preview(coach, id)).toMatchObject({
      counts: { all: 202, create: 200, duplicate: 0, error: 2 },
      room: null,
      pages: 5,
    })

    await asCoach(coach, (ctx) => runImport(ctx, id))
    await work(coach, id)

    expect(await stateOf(coach, id)).toMatchObject({
      status: 'done',
      position: 202,
      created: 200,
      duplicates: 0,
      failed: 2,
      leftOut: 0,
    })
    const clients = await clientsNewestFirst(await ctxFor(coach), { rows: null, after: null })
    expect(clients.toReversed()).toMatchObject(contacts)
    expect(await activitiesNewestFirst(await ctxFor(coach), { rows: 5 })).toMatchObject([
      { type: 'clients_imported', description: '200 clients from contacts.csv' },
    ])
    const { days } = await timelineOf(await ctxFor(coach), clients[0]!.id, new URLSearchParams())
    expect(days.flatMap(({ entries }) => entries)).toMatchObject([{ title: 'Client added' }])
  })

  test('and an export each know the archive apart', async () => {
    const coach = await aCoach(house)
    await ran(coach, people(3))
    const [, second] = await clientsNewestFirst(await ctxFor(coach), { rows: null, after: null })
    await asCoach(coach, (ctx) => archiveClient(ctx, second!.id))
    expect(
      [await exported(coach), await exported(coach, 'archive')].map((csv) =>
        [...csv.matchAll(/^Person \d/gm)].map(([name]) => name),
      ),
    ).toEqual([['Person 1', 'Person 3'], ['Person 2']])
  })

  test('of the same file again adds nothing, and neither do two at once', async () => {
    const coach = await aCoach(house)
    const csv = people(450)
    const ids = await Promise.all([started(coach, csv), started(coach, csv)])
    for (const id of ids) await asCoach(coach, (ctx) => runImport(ctx, id))
    await Promise.all(ids.map((id) => work(coach, id)))
    expect(await namesOf(coach)).toHaveLength(450)
    expect(await ran(coach, csv)).toMatchObject({ created: 0, duplicates: 450, status: 'done' })
    expect(await namesOf(coach)).toHaveLength(450)
  })

  test('worked by two processes at once comes in once', async () => {
    const coach = await aCoach(house)
    const id = await started(coach, people(1000))
    await asCoach(coach, (ctx) => runImport(ctx, id))
    await atOnce(4, () => work(coach, id))
    expect(await namesOf(coach)).toEqual(Array.from({ length: 1000 }, (_, at) => `Person ${at + 1}`))
    expect(await stateOf(coach, id)).toMatchObject({ created: 1000, status: 'done' })
  })

  test('cut off in the middle leaves whole chunks and goes on behind them', async () => {
    const coach = await aCoach(house)
    const id = await started(coach, people(6000))
    await asCoach(coach, (ctx) => runImport(ctx, id))
    const cutter = new pg.Client({ connectionString: house.appUrl })
    await cutter.connect()
    let cutOff = 0
    try {
      while (cutOff < 3 && (await stateOf(coach, id)).status === 'running') {
        const before = (await stateOf(coach, id)).position
        let over = false
        const working = work(coach, id)
          .then(
            () => 0,
            () => 1,
          )
          .finally(() => (over = true))
        while (!over && (await stateOf(coach, id)).position === before);
        while (!over)
          await cutter.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and pid <> pg_backend_pid() and xact_start is not null',
          )
        cutOff += await working
        const { position, created } = await stateOf(coach, id)
        expect(position % 200).toBe(0)
        expect(created).toBe(position)
        expect(await namesOf(coach)).toHaveLength(position)
      }
    } finally {
      await cutter.end()
    }
    expect(cutOff).toBeGreaterThan(0)
    await work(coach, id)
    expect(await namesOf(coach)).toEqual(Array.from({ length: 6000 }, (_, at) => `Person ${at + 1}`))
  })

  test('takes what fits into the plan, says what was left, and takes that later', async () => {
    const coach = await aCoach(house, { plan: 'pro' })
    const csv = `${people(8)}Person 1,p1@example.com\nNobody,\n${people(7, 9).split('\n').slice(1).join('\n')}`
    const id = await started(coach, csv)
    expect(await preview(coach, id)).toMatchObject({
      counts: { create: 10, 'left-out': 5, duplicate: 1, error: 1 },
      room: 10,
    })
    await asCoach(coach, (ctx) => runImport(ctx, id))
    await work(coach, id)
    expect(await stateOf(coach, id)).toMatchObject({ created: 10, duplicates: 1, failed: 1, leftOut: 5, fullAt: 12 })
    const { text } = await errorFileOf(await ctxFor(coach), id)
    expect(
      text
        .trim()
        .split('\r\n')
        .map((line) => line.split(',').slice(-2).join()),
    ).toEqual([
      'Name,Email',
      'Nobody,',
      ...Array.from({ length: 5 }, (_, at) => `Person ${11 + at},p${11 + at}@example.com`),
    ])

    const [first] = await clientsNewestFirst(await ctxFor(coach), { rows: 1, after: null })
    await asCoach(coach, (ctx) => archiveClient(ctx, first!.id))
    expect(await ran(coach, text)).toMatchObject({ created: 1, failed: 1, leftOut: 4 })
  })

  test('fifty at once take no more than the plan has', async () => {
    const coach = await aCoach(house, { plan: 'pro' })
    const ids = await Promise.all(Array.from({ length: 10 }, (_, at) => started(coach, people(3, at * 3))))
    for (const id of ids) await asCoach(coach, (ctx) => runImport(ctx, id))
    await atOnce(10, (at) => work(coach, ids[at]!))
    expect(await namesOf(coach)).toHaveLength(10)
  })

  test('adds again who was deleted, and not who is archived', async () => {
    const coach = await aCoach(house)
    await ran(coach, people(2))
    const [second, first] = await clientsNewestFirst(await ctxFor(coach), { rows: null, after: null })
    await asCoach(coach, (ctx) => deleteClient(ctx, first!.id))
    await asCoach(coach, (ctx) => archiveClient(ctx, second!.id))
    const id = await started(coach, people(2))
    expect((await preview(coach, id)).rows.map((row) => row.reason)).toEqual([
      null,
      'Already one of your archived clients.',
    ])
  })
})

describe('columns', () => {
  test('of unknown names are chosen by hand before anything can run', async () => {
    const coach = await aCoach(house)
    const id = await started(coach, 'Who,Where to write,Shoe size\nAda,ada@example.com,38\n')
    const { mapping, status } = await stateOf(coach, id)
    expect(status).toBe('mapping')
    expect(await codeOf(asCoach(coach, (ctx) => runImport(ctx, id)))).toBe('conflict')
    expect(await codeOf(asCoach(coach, (ctx) => chooseColumns(ctx, id, { ...mapping, name: [[0]] })))).toBe(
      'validation_failed',
    )
    expect(
      await codeOf(asCoach(coach, (ctx) => chooseColumns(ctx, id, { ...mapping, name: [[0]], email: [[9]] }))),
    ).toBe('validation_failed')
    await asCoach(coach, (ctx) => chooseColumns(ctx, id, { ...mapping, name: [[0]], email: [[1]], notes: [[2]] }))
    await asCoach(coach, (ctx) => runImport(ctx, id))
    await work(coach, id)
    expect(await clientsNewestFirst(await ctxFor(coach), { rows: null, after: null })).toMatchObject([
      { name: 'Ada', email: 'ada@example.com', notes: '38' },
    ])
    expect(await codeOf(asCoach(coach, (ctx) => runImport(ctx, id)))).toBe('conflict')
    expect(await codeOf(asCoach(coach, (ctx) => cancelImport(ctx, id)))).toBe('conflict')
  })

  test('are read anew in another encoding', async () => {
    const coach = await aCoach(house)
    const id = await started(coach, Buffer.from('Name;Email\nJos\xe9;jose@example.com\n', 'latin1'))
    expect((await preview(coach, id)).rows[0]!.name).toBe('José')
    await asCoach(coach, (ctx) => chooseEncoding(ctx, id, 'windows-1251'))
    expect(await stateOf(coach, id)).toMatchObject({ status: 'mapping', encoding: 'windows-1251' })
    expect((await preview(coach, id)).rows[0]!.name).toBe('Josй')
    expect(await codeOf(asCoach(coach, (ctx) => chooseEncoding(ctx, id, 'klingon')))).toBe('validation_failed')
  })
})

describe('files', () => {
  test('that are no list of people leave nothing behind', async () => {
    const coach = await aCoach(house)
    for (const content of ['', 'PK\x03\x04', 'Name,Email\n', 'a\0b', `Name,Email\n${'a,b\n'.repeat(50_001)}`]) {
      expect(await codeOf(started(coach, content))).toMatch(/validation_failed|too_large/)
    }
    expect(await recentImports(await ctxFor(coach))).toEqual([])
  })

  test('of another coach are not there', async () => {
    const coach = await aCoach(house)
    const other = await aCoach(house)
    const id = await started(coach, people(1))
    for (const act of [runImport, cancelImport])
      expect(await codeOf(asCoach(other, (ctx) => act(ctx, id)))).toBe('not_found')
    expect(await codeOf(stateOf(other, id))).toBe('not_found')
    expect(await codeOf(errorFileOf(await ctxFor(other), id))).toBe('not_found')
    expect(await recentImports(await ctxFor(other))).toEqual([])
  })

  test('are kept ten at a time, and have harmless names', async () => {
    const coach = await aCoach(house)
    const first = await started(coach, people(1), '../..\\evil\n\0\ud800.csv')
    expect((await stateOf(coach, first)).fileName).toBe('.. .. evil  \ufffd.csv')
    for (let more = 0; more < 10; more++) await started(coach, people(1))
    expect(await codeOf(stateOf(coach, first))).toBe('not_found')
  })

  test('go with a client who is erased, if they are done and came before that client went, and no other coach’s do', async () => {
    const [coach, other] = [await aCoach(house), await aCoach(house)]
    for (const one of [coach, other]) await ran(one, people(2))
    const waiting = await started(coach, people(1, 5))
    const clientId = (await clientsNewestFirst(await ctxFor(coach), { rows: 1, after: null }))[0]!.id
    const start = house.clock.now
    await asCoach(coach, (ctx) => deleteClient(ctx, clientId))
    house.clock.now = new Date(start.getTime() + 1000)
    const later = await started(coach, people(1, 9))
    await asCoach(coach, (ctx) => eraseRecord(ctx, kindOf('client'), clientId))
    house.clock.now = start

    expect((await recentImports(await ctxFor(coach))).map(({ id }) => id)).toEqual([later, waiting])
    expect(await recentImports(await ctxFor(other))).toHaveLength(1)
  })
})

test('an export imports back identical into another practice', async () => {
  const coach = await aCoach(house)
  const other = await aCoach(house)
  await ran(coach, googleContacts({ people: 700 }).csv)
  const text = await exported(coach)
  expect(await ran(other, text, 'clients.csv')).toMatchObject({ source: 'own', created: 700, failed: 0 })
  expect(await exported(other)).toBe(text)
})
