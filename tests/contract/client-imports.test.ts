import { expect, test } from 'vitest'
import { AppError } from '#app/lib/errors.ts'
import { listTrash } from '#modules/core/trash.ts'
import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { NewInteraction } from '#modules/crm/forms.ts'
import { listClients } from '#modules/crm/queries/clients.ts'
import { listActivities } from '#modules/crm/queries/activities.ts'
import { archiveClient, deleteClient, updateClient } from '#modules/crm/services/clients.ts'
import { createInteraction } from '#modules/crm/services/interactions.ts'
import { runImportJob } from '#modules/crm/import/import-job.ts'
import { loadImportStep } from '#modules/crm/import/import-loader.server.ts'
import { getImportPreview } from '#modules/crm/import/preview.ts'
import { getImport, getImportFile, listImports } from '#modules/crm/import/queries.ts'
import { chooseRows, runImport, startImport, type RowChoice } from '#modules/crm/import/service.ts'
import { undoImport } from '#modules/crm/import/undo.ts'

const app = createTestApp()

const people = (count: number): string =>
  `Name,Email\n${Array.from({ length: count }, (_, index) => `Person ${index},p${index}@example.com\n`).join('')}`
const upload = async (coach: Coach, csv: string): Promise<number> =>
  startImport(await contextFor(coach), { name: 'contacts.csv', content: Buffer.from(csv) })
const choose = (coach: Coach, id: number, rows: RowChoice, tag: string | null = null) =>
  inTenant(coach, (tx) => chooseRows(tx, id, { rows, tag }))
const runJob = (coach: Coach, id: number) => runImportJob(app.platform, { coachId: coach.id, importId: id })
async function run(coach: Coach, id: number): Promise<void> {
  await inTenant(coach, (tx) => runImport(tx, id))
  await runJob(coach, id)
}
async function importAll(coach: Coach, csv: string): Promise<number> {
  const id = await upload(coach, csv)
  await run(coach, id)
  return id
}
async function undo(coach: Coach, id: number): Promise<void> {
  await inTenant(coach, (tx) => undoImport(tx, id))
  await runJob(coach, id)
}
const getState = async (coach: Coach, id: number) => getImport(await contextFor(coach), id)
async function preview(coach: Coach, id: number): Promise<string[]> {
  const ctx = await contextFor(coach)
  const record = await getImport(ctx, id)
  const { rows } = await getImportPreview(ctx, record, await getImportFile(ctx, record), { show: 'all', page: 1 })
  return rows.map(({ name, outcome }) => `${name}: ${outcome}`)
}
const list = async (coach: Coach) => listClients(await contextFor(coach), { rows: null, after: null })
const listNames = async (coach: Coach) => (await list(coach)).map(({ name }) => name).toSorted()
async function loadUndone(coach: Coach, id: number) {
  const step = await loadImportStep(await contextFor(coach), id, new URLSearchParams())
  if (step.step !== 'undone') throw new Error(`The import is ${step.step}`)
  return step
}
const errorCode = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )

test('deselected rows are skipped, and make room for another row with the same person', async () => {
  const coach = await createCoach()
  const id = await upload(coach, 'Name,Email\nAda,a@b.co\nADA,a@b.co\nGrace,g@b.co\nMary,m@b.co\nNobody,\n')
  await choose(coach, id, { shown: [0, 2], chosen: [2] })
  // As of another tab, whose page shows other rows.
  await choose(coach, id, { shown: [3, 999], chosen: [] })
  expect(await preview(coach, id)).toEqual([
    'Ada: deselected',
    'ADA: create',
    'Grace: create',
    'Mary: deselected',
    'Nobody: error',
  ])
  await choose(coach, id, { shown: [0], chosen: [0] })
  expect((await preview(coach, id)).slice(0, 2)).toEqual(['Ada: create', 'ADA: duplicate'])
  await choose(coach, id, 'none')
  expect((await preview(coach, id)).filter((row) => row.endsWith(': create'))).toEqual([])
  await choose(coach, id, { shown: [1, 2], chosen: [1, 2] })
  await run(coach, id)
  expect(await listNames(coach)).toEqual(['ADA', 'Grace'])
  expect(await getState(coach, id)).toMatchObject({
    created: 2,
    failed: 1,
    notSelected: 2,
    duplicates: 0,
    status: 'done',
  })
  expect(await errorCode(choose(coach, id, 'all'))).toBe('conflict')

  const again = await upload(coach, 'Name,Email\nAda,a@b.co\nGrace,g@b.co\nMary,m@b.co\n')
  await choose(coach, again, 'none')
  expect(await preview(coach, again)).toEqual(['Ada: duplicate', 'Grace: duplicate', 'Mary: deselected'])
  await choose(coach, again, 'all')
  expect((await preview(coach, again))[2]).toBe('Mary: create')
})

test('deselected rows leave the room of the plan to others', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const id = await upload(coach, people(12))
  await choose(coach, id, { shown: [0, 1], chosen: [] })
  await run(coach, id)
  expect(await getState(coach, id)).toMatchObject({ created: 10, leftOut: 0, notSelected: 2 })
})

test('imported clients get the tag of the import, once and unless they have as many others as they can', async () => {
  const coach = await createCoach()
  const many = Array.from({ length: 20 }, (_, index) => `tag ${index}`).join(';')
  const id = await upload(coach, `Name,Email,Tags\nAda,a@b.co,vip;new\nGrace,g@b.co,\nMary,m@b.co,${many}\n`)
  await choose(coach, id, 'all', 'VIP')
  await run(coach, id)
  const tags = (await list(coach)).map((client) => [client.name, client.tags])
  expect(Object.fromEntries(tags)).toEqual({ Ada: ['vip', 'new'], Grace: ['VIP'] })
  expect(await getState(coach, id)).toMatchObject({ created: 2, failed: 1, tag: 'VIP' })
})

test('an undo moves the clients of its import to the trash, and keeps those that were changed or used since', async () => {
  const coach = await createCoach()
  const other = await importAll(coach, 'Name,Email\nAnother,another@example.com\n')
  const id = await importAll(coach, people(7))
  const byName = new Map((await list(coach)).map((client) => [client.name, client.id]))
  const getId = (index: number) => byName.get(`Person ${index}`)!
  await inTenant(coach, async (tx) => {
    await updateClient(tx, getId(0), { phone: '1' })
    await archiveClient(tx, getId(1))
    await deleteClient(tx, getId(2))
    const interaction = { name: 'Call', interactionDate: '2026-03-03T12:00:00Z' }
    await createInteraction(tx, getId(3), NewInteraction.parse(interaction))
  })
  const times = { startTime: '2026-04-01T10:00:00Z', endTime: '2026-04-01T11:00:00Z' }
  await createAppointment({ coach, title: 'Session', clientId: getId(4), ...times })

  await undo(coach, id)
  await undo(coach, id)

  expect(await loadUndone(coach, id)).toMatchObject({
    moved: 2,
    kept: 4,
    deleted: 1,
    clients: [
      { name: 'Person 0', to: `/clients/${getId(0)}`, reason: 'Changed since the import' },
      { name: 'Person 1', reason: 'Archived since the import' },
      { name: 'Person 2', to: null, reason: 'Moved to the trash before' },
      { name: 'Person 3', reason: 'Has records since the import: Interaction' },
      { name: 'Person 4', reason: 'Has records since the import: Appointment' },
    ],
  })
  expect(await listNames(coach)).toEqual(['Another', 'Person 0', 'Person 3', 'Person 4'])
  const trash = await listTrash(await contextFor(coach), {})
  expect(JSON.stringify(trash)).toMatch(/Person [256].*Person [256].*Person [256]/)
  expect(await listActivities(await contextFor(coach), { rows: 1 })).toMatchObject([
    { title: 'Import undone', description: '2 clients from contacts.csv' },
  ])
  expect(await getState(coach, id)).toMatchObject({ status: 'undone', hasFile: false })
  expect(await errorCode(inTenant(coach, (tx) => runImport(tx, id)))).toBe('conflict')
  expect(await getState(coach, other)).toMatchObject({ status: 'done' })
})

test('an undo by several processes at once moves each client once', async () => {
  const coach = await createCoach()
  const id = await importAll(coach, people(450))
  await concurrently(4, () => undo(coach, id))
  expect(await loadUndone(coach, id)).toMatchObject({ moved: 450, kept: 0 })
  expect(await listNames(coach)).toEqual([])
})

test('a client that is edited or used during the undo is either kept with that or is in the trash without', async () => {
  const coach = await createCoach()
  const id = await importAll(coach, people(24))
  const ids = (await list(coach)).map((client) => client.id)
  const interaction = NewInteraction.parse({ name: 'Call', interactionDate: '2026-03-03T12:00:00Z' })
  const change = (clientId: number, index: number) =>
    errorCode(
      inTenant(coach, async (tx) =>
        index % 2 ? createInteraction(tx, clientId, interaction) : updateClient(tx, clientId, { phone: '1' }),
      ),
    )
  await inTenant(coach, (tx) => undoImport(tx, id))
  const [results] = await Promise.all([Promise.all(ids.map(change)), runJob(coach, id)])
  const kept = new Set((await list(coach)).map((client) => client.id))
  expect(results).toEqual(ids.map((clientId) => (kept.has(clientId) ? 'done' : 'not_found')))
  expect((await loadUndone(coach, id)).kept).toBe(kept.size)
})

test('an import that is undone while it runs stops', async () => {
  const coach = await createCoach()
  const id = await upload(coach, people(3))
  expect(await errorCode(inTenant(coach, (tx) => undoImport(tx, id)))).toBe('conflict')
  await inTenant(coach, (tx) => runImport(tx, id))
  await undo(coach, id)
  expect(await listNames(coach)).toEqual([])
  expect(await loadUndone(coach, id)).toMatchObject({ moved: 0, kept: 0 })
})

test('an import whose file had to make room is listed and can still be undone, but not by others', async () => {
  const [coach, other] = [await createCoach(), await createCoach()]
  const id = await importAll(coach, people(2))
  for (let more = 0; more < 11; more++) await upload(coach, people(1))
  expect(await getState(coach, id)).toMatchObject({ hasFile: false })
  const { imports, count } = await listImports(await contextFor(coach))
  expect([imports.length, count]).toEqual([11, 11])
  const step = await loadImportStep(await contextFor(coach), id, new URLSearchParams())
  expect(step).toMatchObject({ step: 'done', created: 2, hasFile: false, rows: [] })
  expect(await errorCode(inTenant(other, (tx) => undoImport(tx, id)))).toBe('not_found')
  await undo(coach, id)
  expect(await listNames(coach)).toEqual([])
  const nothing = await importAll(coach, 'Name,Email\nNobody,\n')
  expect(await errorCode(inTenant(coach, (tx) => undoImport(tx, nothing)))).toBe('conflict')
})
