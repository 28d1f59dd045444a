import { expect, test } from 'vitest'
import { deleteClient } from '#modules/crm/index.ts'
import { completeSession, createAppointment, NewAppointment } from '#modules/scheduling/index.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createProduct,
  createPurchase,
  inTenant,
  type Coach,
} from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { exportLog } from './export.ts'
import { NewEntry } from './forms.ts'
import { getLog } from './queries/log.ts'
import { setCounting } from './services/counting.ts'
import { createEntry } from './services/entries.ts'

createTestApp()
const always = { from: null, to: null }

async function complete(coach: Coach, clientId: number, startTime: string, minutes: number): Promise<void> {
  const endTime = new Date(Date.parse(startTime) + minutes * 60_000).toISOString()
  await inTenant(coach, async (tx) => {
    const input = NewAppointment.parse({ title: 'Session', clientId, startTime, endTime })
    await completeSession(tx, (await createAppointment(tx, input)).id, { notes: null })
  })
}

const read = async (coach: Coach, period: { from: string | null; to: string | null } = always) =>
  getLog(await contextFor(coach), { ...period, page: 1, rows: 10 })

/** A client who has paid, with two sessions, and one who hasn't, with one. */
async function setUp() {
  const coach = await createCoach({ timezone: 'America/New_York' })
  const paying = await createClient({ coach, name: 'Grace Hopper', email: 'grace@example.com' })
  const other = await createClient({ coach, name: 'Alan Turing' })
  const { id: productId } = await createProduct({ coach })
  await createPurchase({ coach, clientId: paying.id, productId })
  await complete(coach, paying.id, '2026-01-31T15:00:00Z', 60)
  // February 28 in the coach's zone.
  await complete(coach, paying.id, '2026-03-01T04:00:00Z', 45)
  await complete(coach, other.id, '2026-02-02T15:00:00Z', 90)
  return { coach, paying, other }
}

test('completed sessions count as paid for clients who have paid, others as pro bono, until the coach chooses', async () => {
  const { coach, paying, other } = await setUp()
  expect(await read(coach)).toMatchObject({
    clients: [
      { clientId: paying.id, sessions: 2, minutes: 105, counting: 'paid', isChosen: false },
      { clientId: other.id, sessions: 1, minutes: 90, counting: 'pro_bono', isChosen: false },
    ],
    totals: { paidMinutes: 105, proBonoMinutes: 90, clients: 2, rows: 2 },
  })
  const choose = (counting: 'not_counted' | 'paid' | null) =>
    inTenant(coach, (tx) => setCounting(tx, { clientId: other.id, counting }))
  await concurrently(10, (index) => choose(index % 2 ? 'paid' : 'not_counted'))
  await choose('not_counted')
  expect((await read(coach)).totals).toEqual({ paidMinutes: 105, proBonoMinutes: 0, clients: 1, rows: 2 })
  await choose(null)
  expect((await read(coach)).totals.proBonoMinutes).toBe(90)
  await inTenant(coach, (tx) => deleteClient(tx, paying.id))
  expect((await read(coach)).totals).toEqual({ paidMinutes: 0, proBonoMinutes: 90, clients: 1, rows: 1 })
})

test('a period is one of the coach’s calendar, and has the entries that ended in it', async () => {
  const { coach } = await setUp()
  const days = { startDate: '2026-01-01', endDate: '2026-02-28' }
  const group = { clientName: 'Team', format: 'group', participants: 5, ...days, paidMinutes: 120, proBonoMinutes: 30 }
  await inTenant(coach, (tx) => createEntry(tx, NewEntry.parse(group)))
  const february = await read(coach, { from: '2026-02-01', to: '2026-02-28' })
  expect(february.totals).toEqual({ paidMinutes: 165, proBonoMinutes: 120, clients: 7, rows: 2 })
  expect(february.entries).toHaveLength(1)
  expect((await read(coach, { from: '2026-03-01', to: null })).totals.clients).toBe(0)
})

test('the file has the columns of the client coaching log, without what does not count, and no formulas', async () => {
  const { coach, other } = await setUp()
  await inTenant(coach, (tx) => setCounting(tx, { clientId: other.id, counting: 'not_counted' }))
  const days = { startDate: '2025-01-01', endDate: '2025-02-01' }
  const entry = { clientName: '=SUM(A1)', ...days, proBonoMinutes: 50 }
  await inTenant(coach, (tx) => createEntry(tx, NewEntry.parse(entry)))
  const lines = (await exportLog(await contextFor(coach), always)).trim().split('\r\n')
  expect(lines.slice(1)).toEqual([
    'Grace Hopper,grace@example.com,Individual,1,2026-01-31,2026-02-28,1.75,0',
    expect.stringMatching(/^"?'=SUM\(A1\)"?,,Individual,1,2025-01-01,2025-02-01,0,0.83$/),
  ])
})

test('another coach sees and changes nothing', async () => {
  const { paying } = await setUp()
  const stranger = await createCoach()
  expect((await read(stranger)).totals.rows).toBe(0)
  await expect(
    inTenant(stranger, (tx) => setCounting(tx, { clientId: paying.id, counting: 'paid' })),
  ).rejects.toMatchObject({ code: 'not_found' })
})
