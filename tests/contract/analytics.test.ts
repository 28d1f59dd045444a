import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, dayStart, localDate, localTime } from '#app/lib/time.ts'
import { dayOfWeek } from '#app/lib/clock.ts'
import { goBack, toMetricPeriod, listBuckets, type Period } from '#modules/analytics/periods.ts'
import {
  getMetric,
  getSums,
  getSumsByDates,
  listGroups,
  listMetrics,
  listRows,
  type Sum,
} from '#modules/analytics/queries/metrics.ts'
import type { DateSpan } from '#modules/core/metrics.ts'
import { createProspect } from '#modules/pipeline/e2e/factories.ts'
import { listStages } from '#modules/pipeline/queries/stages.ts'
import { convertProspect, undoConversion } from '#modules/pipeline/services/conversion.ts'
import { deleteProspect, updateProspect } from '#modules/pipeline/services/prospects.ts'
import { deleteStage } from '#modules/pipeline/services/stages.ts'
import { ScheduleInput } from '#modules/scheduling/forms.ts'
import { createSchedule } from '#modules/scheduling/services/schedules.ts'
import { deleteClient } from '#modules/crm/services/clients.ts'
import { insertRows } from '#db/insert-rows.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { contextFor, createClient, createCoach, createProduct, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// Every number, against the same one counted by hand from the rows of the tables.

const app = createTestApp()
const timezone = 'America/New_York'
let coach: Coach
let ctx: Ctx
let tables: Tables

const first = Date.UTC(2025, 0, 1)
const last = Date.UTC(2026, 2, 10, 14)
const instant = fc.integer({ min: first / 60_000, max: last / 60_000 }).map((minute) => new Date(minute * 60_000))
const day = fc.integer({ min: 0, max: 433 }).map((days) => addDays('2025-01-01', days))
/** Half of the times are the first or the last millisecond of a day. */
const edge = fc.oneof(
  instant,
  fc.tuple(day, fc.nat(1)).map(([date, before]) => new Date(dayStart(date, timezone).getTime() - before)),
)
/** The same ones each time. */
const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number): T[] => fc.sample(arbitrary, { numRuns, seed: 15 })

const hours = [1, 2, 3, 4, 5].flatMap((weekday) => [
  { weekday, start: '07:00', end: '12:15' },
  { weekday, start: '13:30', end: weekday === 5 ? '18:00' : '24:00' },
])
const overrides = [
  { date: '2026-03-09', ranges: [] },
  { date: '2026-03-07', ranges: [{ start: '10:00', end: '14:45' }] },
]

beforeAll(async () => {
  app.clock.now = new Date(first)
  coach = await createCoach({ timezone })
  const clients: number[] = []
  for (const [index, at] of sample(edge, 12)
    .toSorted((a, b) => Number(a) - Number(b))
    .entries()) {
    app.clock.now = at
    clients.push((await createClient({ coach, name: `Client ${index}`, email: `client${index}@example.com` })).id)
  }
  const product = await createProduct({ coach })
  await fillPipeline()
  app.clock.now = new Date(last)
  await inTenant(coach, async (tx) => {
    await createSchedule(tx, ScheduleInput.parse({ name: 'Berlin', timezone: 'Europe/Berlin', hours, overrides }))
    await fillLedger(tx, clients, product.id)
    await fillCalendar(tx, clients)
    await deleteClient(tx, clients[0]!)
  })
  ctx = await contextFor(coach)
  tables = await readTables()
})

async function fillPipeline(): Promise<void> {
  const stages = await inTenant(coach, (tx) => listStages(tx))
  const lives = sample(
    fc.record({
      at: edge,
      value: fc.integer({ min: 0, max: 99_999 }),
      probability: fc.integer({ min: 0, max: 100 }),
      source: fc.constantFrom('Referral', 'Website', null),
      stage: fc.nat(4),
      steps: fc.array(fc.record({ days: fc.nat(50), to: fc.nat(4) }), { maxLength: 4 }),
      end: fc.constantFrom('open', 'open', 'converted', 'undone', 'deleted'),
    }),
    40,
  )
  for (const [index, { at, stage, steps, end, ...fields }] of lives.entries()) {
    app.clock.now = at
    const email = `prospect${index}@example.com`
    const { id } = await createProspect({ coach, name: `P${index}`, email, stageId: stages[stage]!.id, ...fields })
    let now = at.getTime()
    const later = (days: number) => (app.clock.now = new Date(Math.min(last, (now += days * 86_400_000))))
    for (const { days, to } of steps) {
      later(days)
      await inTenant(coach, (tx) => updateProspect(tx, id, { stageId: stages[to]!.id }))
    }
    later(11)
    if (end === 'deleted') await inTenant(coach, (tx) => deleteProspect(tx, id))
    if (end !== 'converted' && end !== 'undone') continue
    await inTenant(coach, (tx) => convertProspect(tx, id))
    if (end === 'undone') await inTenant(coach, (tx) => undoConversion(tx, { id, stageId: stages[stage]!.id }))
  }
  app.clock.now = new Date(last)
  await inTenant(coach, (tx) => deleteStage(tx, stages[3]!.id, { moveTo: stages[1]!.id }))
}

async function fillLedger(tx: WriteCtx, clients: number[], productId: number): Promise<void> {
  const entries = sample(
    fc.record({
      occurred_at: edge,
      kind: fc.constantFrom('payment', 'payment', 'refund', 'correction', 'dispute'),
      cents: fc.integer({ min: 1, max: 500_000 }),
      client_id: fc.constantFrom(...clients, null),
      isPurchase: fc.boolean(),
    }),
    150,
  )
  const times = { created_at: new Date(last), updated_at: new Date(last) }
  const purchase = {
    ...times,
    product_id: productId,
    amount: 1,
    status: 'completed',
    payment_method: 'cash',
    coach_id: coach.id,
  }
  const purchases = await tx.query<{ id: number }>({
    ...insertRows(
      'purchase',
      ['Career Reset', 'Career Reset', 'Retainer'].map((product_name) => ({
        ...purchase,
        product_name,
        purchased_at: new Date(last),
      })),
      { returning: 'id' },
    ),
    name: 'test.purchases',
  })
  await tx.query({
    ...insertRows(
      'ledger_entry',
      entries.map(({ cents, isPurchase, ...entry }, index) => ({
        ...entry,
        coach_id: coach.id,
        amount: entry.kind === 'payment' || (entry.kind === 'correction' && index % 2) ? cents : -cents,
        purchase_id: isPurchase ? purchases[index % 3]!.id : null,
        currency: 'usd',
        method: 'cash',
        created_at: new Date(last),
      })),
    ),
    name: 'test.entries',
  })
}

async function fillCalendar(tx: WriteCtx, clients: number[]): Promise<void> {
  const sessions = sample(
    fc.record({
      start_time: edge,
      minutes: fc.integer({ min: 5, max: 200 }),
      status: fc.constantFrom('scheduled', 'confirmed', 'completed', 'completed', 'completed', 'cancelled'),
      client_id: fc.constantFrom(...clients),
      isDeleted: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    }),
    200,
  )
  await tx.query({
    ...insertRows(
      'appointment',
      sessions.map(({ minutes, isDeleted, ...session }, index) => ({
        ...session,
        coach_id: coach.id,
        title: `Session ${index}`,
        end_time: new Date(session.start_time.getTime() + minutes * 60_000),
        completed_at: session.status === 'completed' && index % 7 ? new Date(last) : null,
        deleted_at: isDeleted ? new Date(last) : null,
        timezone,
        created_at: new Date(last),
        updated_at: new Date(last),
      })),
    ),
    name: 'test.sessions',
  })
}

type Row = Record<string, unknown>
type Tables = Record<'client' | 'entry' | 'session' | 'prospect' | 'activity' | 'stage', Row[]>

/** Every row of the tables, with nothing computed in SQL. */
async function readTables(): Promise<Tables> {
  const read = (table: string) =>
    ctx.query<Row>({ name: `test.${table}`, text: `select * from ${table} where coach_id = $1`, values: [coach.id] })
  const [client, entry, session, prospect, activity, stage] = await Promise.all(
    ['client', 'ledger_entry', 'appointment', 'prospect', 'pipeline_activity', 'pipeline_stage'].map(read),
  )
  return { client: client!, entry: entry!, session: session!, prospect: prospect!, activity: activity!, stage: stage! }
}

const time = (value: unknown): number => new Date(value as string).getTime()
const isIn = (value: unknown, { from, to }: { from: string; to: string }): boolean => {
  if (value === null) return false
  const date = localDate(new Date(value as string), timezone)
  return date >= from && date <= to
}
const sum = (values: number[]): number => values.reduce((all, value) => all + value, 0)
const count = (rows: unknown[]): Sum => ({ value: rows.length, whole: 0, rows: rows.length })
const share = (hits: boolean[]): Sum => ({ value: hits.filter(Boolean).length, whole: hits.length, rows: hits.length })

/** The numbers of a period, the slow and simple way. */
function countByHand(name: string, { from, to, before }: { from: string; to: string; before: DateSpan }): Sum {
  const period = { from, to }
  const { client, entry, session, prospect, stage, activity } = tables
  const clientsInTrash = new Set(client.filter((row) => row.deleted_at).map(({ id }) => id))
  const entries = entry.filter((row) => isIn(row.occurred_at, period))
  const sessions = session.filter((row) => !row.deleted_at && !clientsInTrash.has(row.client_id))
  const held = sessions.filter((row) => isIn(row.start_time, period))
  const completedBy = (span: { from: string; to: string }) =>
    new Set(sessions.filter((row) => row.completed_at && isIn(row.start_time, span)).map((row) => row.client_id))
  const people = prospect.filter((row) => !row.deleted_at)
  const added = people.filter((row) => isIn(row.created_at, period))
  const convertedByEnd = (row: Row) =>
    Boolean(row.converted_at) && localDate(row.converted_at as string, timezone) <= to
  const amounts = (rows: Row[]): Sum => ({
    value: sum(rows.map((row) => Number(row.amount))),
    whole: 0,
    rows: rows.length,
  })
  switch (name) {
    case 'revenue':
      return amounts(entries)
    case 'payments':
      return amounts(entries.filter(({ kind }) => kind === 'payment'))
    case 'refunds':
      return amounts(entries.filter(({ kind }) => kind !== 'payment'))
    case 'paying-clients':
      return count(
        client.filter(
          ({ id }) => sum(entries.filter((row) => row.client_id === id).map((row) => Number(row.amount))) > 0,
        ),
      )
    case 'new-clients':
      return count(client.filter((row) => !row.deleted_at && isIn(row.created_at, period)))
    case 'active-clients':
      return count([...completedBy(period)])
    case 'retention': {
      const now = completedBy(period)
      return share([...completedBy(before)].map((id) => now.has(id)))
    }
    case 'completed-sessions':
      return count(held.filter((row) => row.completed_at))
    case 'cancellations':
      return share(held.map(({ status }) => status === 'cancelled'))
    case 'booked-time': {
      const booked = held.filter(({ status }) => status !== 'cancelled')
      return { value: sum(booked.map(toMinutes)), whole: 0, rows: booked.length }
    }
    case 'utilization':
      return utilizationByHand(
        period,
        held.filter(({ status }) => status !== 'cancelled'),
      )
    case 'forecast': {
      const open = people.filter((row) => !row.converted_at)
      return {
        value: sum(open.map((row) => Math.round((Number(row.value) * Number(row.probability)) / 100))),
        whole: 0,
        rows: open.length,
      }
    }
    case 'new-prospects':
      return count(added)
    case 'conversion':
      return share(added.map(convertedByEnd))
    case 'converted-prospects':
      return count(people.filter((row) => isIn(row.converted_at, period)))
    case 'stage-conversion': {
      const shown = new Map(stage.filter((row) => !row.deleted_at).map(({ id, position }) => [id, Number(position)]))
      const hits = people.flatMap((person) => {
        const visits = activity
          .filter(
            (row) =>
              row.prospect_id === person.id && (row.metadata as Row).to !== undefined && row.type !== 'converted',
          )
          .filter((row) => localDate(row.created_at as string, timezone) <= to)
          .toSorted((a, b) => Number(a.id) - Number(b.id))
          .map((row) => ({ at: row.created_at, stage: (row.metadata as Row).to }))
        return [...new Set(visits.map((visit) => visit.stage))].flatMap((id) => {
          const arrival = visits.findIndex((visit) => visit.stage === id)
          const position = shown.get(id)
          if (position === undefined || !isIn(visits[arrival]!.at, period)) return []
          const wentOn = visits.slice(arrival + 1).some((visit) => (shown.get(visit.stage) ?? -1) > position)
          return convertedByEnd(person) || wentOn
        })
      })
      return share(hits)
    }
    default:
      throw new Error(`Count ${name} by hand`)
  }
}

const toMinutes = (row: Row): number => (time(row.end_time) - time(row.start_time)) / 60_000

/** Counts every quarter of an hour that is within the working hours in Berlin. */
function utilizationByHand({ from, to }: { from: string; to: string }, booked: Row[]): Sum {
  const toMinute = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
  const days = new Map<string, number>()
  const end = Date.parse(to) + 2 * 86_400_000
  for (let at = Date.parse(from) - 86_400_000; at < end; at += 900_000) {
    const day = localDate(new Date(at), timezone)
    if (day < from || day > to) continue
    const date = localDate(new Date(at), 'Europe/Berlin')
    const minute = toMinute(localTime(new Date(at), 'Europe/Berlin'))
    const ranges =
      overrides.find((override) => override.date === date)?.ranges ??
      hours.filter(({ weekday }) => weekday === dayOfWeek(date))
    const works = ranges.some(({ start, end: until }) => minute >= toMinute(start) && minute < toMinute(until))
    days.set(day, (days.get(day) ?? 0) + (works ? 15 : 0))
  }
  const worked = [...days].filter(([, minutes]) => minutes > 0).map(([day]) => day)
  const withSessions = booked.map((row) => localDate(row.start_time as string, timezone))
  return {
    value: sum(booked.map(toMinutes)),
    whole: sum([...days.values()]),
    rows: new Set([...worked, ...withSessions]).size,
  }
}

const periods: Period[] = [
  { from: '2026-01-01', to: '2026-03-10', unit: 'quarter', isWhole: false },
  { from: '2025-10-01', to: '2025-12-31', unit: 'quarter', isWhole: true },
  { from: '2026-02-01', to: '2026-02-28', unit: 'month', isWhole: true },
  { from: '2025-01-01', to: '2025-12-31', unit: 'year', isWhole: true },
  ...sample(fc.tuple(day, day), 4).map(([a, b]): Period => {
    return { from: a < b ? a : b, to: a < b ? b : a, unit: 'days', isWhole: true }
  }),
]

describe.each(periods)('from $from to $to', (period) => {
  const open = (name: string) => ({ metric: getMetric(ctx, name), period: toMetricPeriod(period, timezone) })

  test('every number is the one counted by hand, in this period and the one before', async () => {
    const metrics = listMetrics(ctx)
    expect(metrics.length).toBeGreaterThan(15)
    for (const each of [period, goBack(period)]) {
      const span = toMetricPeriod(each, timezone)
      const sums = await getSums(
        ctx,
        metrics.map((metric) => ({ metric, period: span })),
      )
      expect(Object.fromEntries(metrics.map(({ name }, index) => [name, sums[index]]))).toEqual(
        Object.fromEntries(metrics.map(({ name }) => [name, countByHand(name, span)])),
      )
    }
  })

  test('the rows, the parts and the groups of a number add up to it', async () => {
    for (const { name, addsUpByDay, groups = [] } of listMetrics(ctx)) {
      const [total] = await getSums(ctx, [open(name)])
      expect([name, addUp(await readAll(name))]).toEqual([name, total])
      if (addsUpByDay) {
        const metric = getMetric(ctx, name)
        const sums = await getSumsByDates(ctx, [metric], [period, ...listBuckets(period, 'sunday')])
        const [all, ...parts] = sums.get(metric)!
        expect([name, all, addUp(parts)]).toEqual([name, total, total])
      }
      for (const by of groups) {
        const [found] = await listGroups(ctx, [{ ...open(name), by, size: 500 }])
        expect([name, found!.count, addUp(found!.groups)]).toEqual([name, found!.groups.length, total])
        for (const { key, title: _title, ...group } of found!.groups) {
          const filter = { by, key }
          expect(await getSums(ctx, [{ ...open(name), filter }])).toEqual([group])
        }
      }
    }
  })

  /** Page by page, as the file does. */
  async function readAll(name: string): Promise<Sum[]> {
    const all: Sum[] = []
    let after = null
    for (;;) {
      const rows = await listRows(ctx, open(name), { rows: 17, after })
      all.push(...rows.map(({ value, whole }) => ({ value, whole, rows: 1 })))
      const end = rows.at(-1)
      if (!end || rows.length < 17) return all
      expect(all.length).toBeLessThan(1000)
      after = { at: end.at, id: end.id }
    }
  }
})

const addUp = (parts: Sum[]): Sum => ({
  value: sum(parts.map(({ value }) => value)),
  whole: sum(parts.map(({ whole }) => whole)),
  rows: sum(parts.map(({ rows }) => rows)),
})
