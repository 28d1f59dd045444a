import type { Answer } from '../booking-fields.ts'
import { addDays, localDate, dayStart, monthSpan } from '#app/lib/time.ts'
import { isoTimestamp, type Query } from '#db/read-pool.ts'
import type { ClientSession } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Cursor } from '#tenants/api/cursor.ts'
import { getOnlineSales } from '../paid-bookings/online-sales.ts'
import {
  appointment,
  listedAppointmentSql,
  visibleAppointmentsSql,
  type AppointmentRecord,
  type ListedAppointment,
} from '../records.ts'

export type AppointmentQuery = {
  /** The range of start times; `to` is exclusive. */
  from?: Date | undefined
  to?: Date | undefined
  clientId?: number | undefined
  /** Only completed ones without a summary. */
  pendingSummary?: boolean
  /** The most rows; null: all. */
  rows?: number | null
  after?: Cursor | null
}

/** Appointments by start time. */
export async function listAppointments(ctx: Ctx, options: AppointmentQuery): Promise<AppointmentRecord[]> {
  authorize(ctx, 'scheduling:appointment:read')
  return ctx.query<AppointmentRecord>(appointmentsQuery(ctx.coachId, options))
}

function appointmentsQuery(
  coachId: number,
  { from, to, clientId, pendingSummary = false, rows = null, after = null }: AppointmentQuery,
): Query {
  const values: unknown[] = [coachId]
  const param = (value: unknown) => `$${values.push(value)}`
  const filters = [
    ...(from ? [['from', `a.start_time >= ${param(from)}`]] : []),
    ...(to ? [['to', `a.start_time < ${param(to)}`]] : []),
    ...(clientId === undefined ? [] : [['client', `a.client_id = ${param(clientId)}`]]),
    ...(pendingSummary ? [['pending', 'a.completed_at is not null and not a.summary_generated']] : []),
    ...(after
      ? [['after', `(a.start_time, a.id) > (${param(after.at)}::timestamptz, ${param(after.id)}::bigint)`]]
      : []),
  ]
  return {
    name: `scheduling.appointments${filters.map(([name]) => `-${name}`).join('')}${rows === null ? '' : '-limit'}`,
    text: `select ${appointment.select} ${visibleAppointmentsSql}${filters.map(([, sql]) => ` and ${sql}`).join('')}
      order by a.start_time, a.id${rows === null ? '' : ` limit ${param(rows)}`}`,
    values,
  }
}

/**
 * A page of the sessions from `from` on, and the number of all: those that have started, latest first, then those
 * ahead.
 */
export async function listRecentSessions(
  ctx: Ctx,
  { from, rows, offset }: { from: Date; rows: number; offset: number },
): Promise<{ sessions: AppointmentRecord[]; count: number }> {
  authorize(ctx, 'scheduling:appointment:read')
  const [sessions, [counted]] = (await ctx.queryAll([
    {
      name: 'scheduling.recent-sessions',
      text: `select ${appointment.select} ${visibleAppointmentsSql} and a.start_time >= $2
        order by a.start_time > $3, abs(extract(epoch from a.start_time - $3)), a.id limit $4 offset $5`,
      values: [ctx.coachId, from, ctx.now(), rows, offset],
    },
    {
      name: 'scheduling.count-recent-sessions',
      text: `select count(*) ${visibleAppointmentsSql} and a.start_time >= $2`,
      values: [ctx.coachId, from],
    },
  ])) as [AppointmentRecord[], { count: number }[]]
  return { sessions, count: counted!.count }
}

/** Throws not_found, also while the client or prospect is in the trash. */
export async function getAppointment(ctx: Ctx, id: number): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:read')
  const [found] = await ctx.query<AppointmentRecord>({
    name: 'scheduling.appointment',
    text: `select ${appointment.select} ${visibleAppointmentsSql} and a.id = $2`,
    values: [ctx.coachId, id],
  })
  if (!found) throw appointment.notFound()
  return found
}

/** Grows with each change. */
export async function getVersion(ctx: Ctx, id: number): Promise<number> {
  const [found] = await ctx.query<{ version: number }>({
    name: 'scheduling.appointment-version',
    text: 'select version from appointment where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  return found!.version
}

export type AppointmentDetails = AppointmentRecord & {
  version: number
  clientZone: string | null
  clientSince: Date | null
  typeName: string | null
  typeColor: string | null
  sessionNotes: string | null
  location: string | null
  answers: Answer[]
  cancellationReason: string | null
  moveReason: string | null
}

/** An appointment with everything that its dialogs show. Throws not_found. */
export async function getAppointmentDetails(ctx: Ctx, id: number): Promise<AppointmentDetails> {
  authorize(ctx, 'scheduling:appointment:read')
  const [found] = await ctx.query<AppointmentDetails>({
    name: 'scheduling.appointment-details',
    text: `select ${appointment.select}, a.version, coalesce(c.timezone, p.timezone) as "clientZone",
        c.created_at as "clientSince", t.name as "typeName", t.color as "typeColor", a.session_notes as "sessionNotes",
        a.location, a.answers,
        a.cancellation_reason as "cancellationReason", a.move_reason as "moveReason"
      ${visibleAppointmentsSql} and a.id = $2`,
    values: [ctx.coachId, id],
  })
  if (!found) throw appointment.notFound()
  return found
}

/** The start and end of today in the coach's time zone. */
export function todayRange({ account: { timezone }, now }: Pick<Ctx, 'account' | 'now'>): { from: Date; to: Date } {
  const date = localDate(now(), timezone)
  return { from: dayStart(date, timezone), to: dayStart(addDays(date, 1), timezone) }
}

/** The start and end of this month in the coach's time zone. */
export function monthRange({ account: { timezone }, now }: Pick<Ctx, 'account' | 'now'>): { from: Date; to: Date } {
  return monthSpan(localDate(now(), timezone).slice(0, 7), timezone)
}

/** The number of sessions of this month that are not cancelled, for the dashboard. */
export function sessionCountQuery(ctx: Pick<Ctx, 'coachId' | 'account' | 'now'>): Query {
  const { from, to } = monthRange(ctx)
  return {
    name: 'scheduling.sessions',
    text: `select count(*) as value ${visibleAppointmentsSql} and ${sessionInRangeSql}`,
    values: [ctx.coachId, from, to],
  }
}

/** SQL: sessions that start from $2 to $3, except cancelled ones. */
const sessionInRangeSql = `a.start_time >= $2 and a.start_time < $3 and a.status <> 'cancelled'`

export type CalendarQuery = { from: Date; to: Date; clientId: number | null }

/** The appointments that overlap the range, and the next ones from now on that are not cancelled. */
export async function getCalendar(
  ctx: Ctx,
  { from, to, clientId }: CalendarQuery,
): Promise<{ appointments: ListedAppointment[]; upcoming: ListedAppointment[] }> {
  authorize(ctx, 'scheduling:appointment:read')
  const [suffix, filter, values] = clientId === null ? ['', '', []] : ['-client', 'and a.client_id = $4', [clientId]]
  const [appointments, upcoming] = (await ctx.queryAll([
    {
      name: `scheduling.calendar${suffix}`,
      text: `select ${listedAppointmentSql} ${visibleAppointmentsSql} and a.start_time < $3 and a.end_time > $2
        ${filter} order by a.start_time, a.id`,
      values: [ctx.coachId, from, to, ...values],
    },
    upcomingQuery(ctx, { clientId, rows: maxUpcoming }),
  ])) as [ListedAppointment[], ListedAppointment[]]
  return { appointments, upcoming }
}

/** part-2 §9 */
export const maxUpcoming = 5

/** The sessions of `sessionCountQuery`, and how many of them are upcoming. */
export async function countSessionsThisMonth(ctx: Ctx): Promise<{ count: number; upcoming: number }> {
  authorize(ctx, 'scheduling:appointment:read')
  const { from, to } = monthRange(ctx)
  const [row] = await ctx.query<{ count: number; upcoming: number }>({
    name: 'scheduling.month',
    text: `select count(*), count(*) filter (where a.start_time > $4) as upcoming
      ${visibleAppointmentsSql} and ${sessionInRangeSql}`,
    values: [ctx.coachId, from, to, ctx.now()],
  })
  return row!
}

/** The sessions of a client that have started, latest first. */
export async function listClientSessions(
  ctx: Ctx,
  clientId: number,
  rows: number,
): Promise<(ListedAppointment & { description: string | null })[]> {
  authorize(ctx, 'scheduling:appointment:read')
  return ctx.query({
    name: 'scheduling.client-sessions',
    text: `select ${listedAppointmentSql}, left(a.description, 500) as description
      ${visibleAppointmentsSql} and a.client_id = $2 and a.start_time <= $3
      order by a.start_time desc, a.id desc limit $4`,
    values: [ctx.coachId, clientId, ctx.now(), rows],
  })
}

/** The latest 500 completed sessions of a client, with the price of their type. */
export async function listBillableSessions(ctx: Ctx, clientId: number): Promise<ClientSession[]> {
  authorize(ctx, 'scheduling:appointment:read')
  const sessions = await ctx.query<Omit<ClientSession, 'price'> & TypePrice>({
    name: 'scheduling.billable-sessions',
    text: `select a.id, a.title, ${isoTimestamp('a.start_time')} as start, t.price_cents as "priceCents",
        t.product_id as "productId"
      ${visibleAppointmentsSql} and a.client_id = $2 and a.completed_at is not null
      order by a.start_time desc, a.id desc limit 500`,
    values: [ctx.coachId, clientId],
  })
  const findPrice = await loadPrices(ctx, sessions)
  return sessions.map(({ id, title, start, ...type }) => ({ id, title, start, price: findPrice(type) }))
}

type TypePrice = { priceCents: number | null; productId: number | null }

/** The price of a session by its type: of a package, whose sessions are paid together, none. */
async function loadPrices(ctx: Ctx, types: TypePrice[]): Promise<(type: TypePrice) => number | null> {
  const ids = [...new Set(types.flatMap(({ productId }) => productId ?? []))]
  const products = ids.length ? ((await getOnlineSales(ctx)?.findProducts(ctx, ids)) ?? []) : []
  const single = new Map(
    products.filter(({ sessionCount }) => sessionCount === null).map(({ id, price }) => [id, price]),
  )
  return ({ priceCents, productId }) => (productId === null ? priceCents : (single.get(productId) ?? null))
}

/** The next sessions that are not cancelled, at most `rows`. */
export async function listUpcoming(ctx: Ctx, rows: number): Promise<ListedAppointment[]> {
  authorize(ctx, 'scheduling:appointment:read')
  return ctx.query<ListedAppointment>(upcomingQuery(ctx, { clientId: null, rows }))
}

function upcomingQuery(ctx: Ctx, { clientId, rows }: { clientId: number | null; rows: number }): Query {
  const [suffix, filter, values] = clientId === null ? ['', '', []] : ['-client', 'and a.client_id = $4', [clientId]]
  return {
    name: `scheduling.upcoming${suffix}`,
    text: `select ${listedAppointmentSql} ${visibleAppointmentsSql} and a.start_time >= $2
      and a.status <> 'cancelled' ${filter} order by a.start_time, a.id limit $3`,
    values: [ctx.coachId, ctx.now(), rows, ...values],
  }
}

/** The client's next session that is not cancelled. */
export async function findNextSession(ctx: Ctx, clientId: number): Promise<ListedAppointment | null> {
  authorize(ctx, 'scheduling:appointment:read')
  const [session] = await ctx.query<ListedAppointment>({
    name: 'scheduling.next-session',
    text: `select ${listedAppointmentSql} ${visibleAppointmentsSql} and a.client_id = $2 and a.start_time >= $3
      and a.status <> 'cancelled' order by a.start_time, a.id limit 1`,
    values: [ctx.coachId, clientId, ctx.now()],
  })
  return session ?? null
}

/** When the completed sessions of clients began. */
export async function listCompletedSessions(
  ctx: Ctx,
  clientIds: number[],
): Promise<{ clientId: number; start: string }[]> {
  authorize(ctx, 'scheduling:appointment:read')
  return ctx.query({
    name: 'scheduling.completed-sessions',
    text: `select client_id as "clientId", ${isoTimestamp('start_time')} as start from appointment
      where coach_id = $1 and deleted_at is null and completed_at is not null and client_id = any($2::bigint[])`,
    values: [ctx.coachId, clientIds],
  })
}

/** The last and the next session of each client, except cancelled ones. */
export async function listSessionDates(
  ctx: Ctx,
  clientIds: number[],
): Promise<{ clientId: number; last: Date | null; next: Date | null }[]> {
  authorize(ctx, 'scheduling:appointment:read')
  return ctx.query({
    name: 'scheduling.session-dates',
    text: `select client_id as "clientId", max(start_time) filter (where start_time < $3) as last,
        min(start_time) filter (where start_time >= $3) as next
      from appointment where coach_id = $1 and deleted_at is null and status <> 'cancelled' and client_id = any($2::bigint[])
      group by client_id`,
    values: [ctx.coachId, clientIds, ctx.now()],
  })
}

/** SQL: whether the row of `client` has a session from `placeholder` on that is not cancelled. */
export const hasNextSession = (placeholder: string): string =>
  `exists (
    select 1 from appointment a where a.coach_id = $1 and a.client_id = client.id and a.deleted_at is null
      and a.status <> 'cancelled' and a.start_time >= ${placeholder})`

export type SummaryCounts = {
  completed: number
  generated: number
  /** Clients with a summary. */
  clients: number
  /** When the first completed session began. */
  first: Date | null
}

/** How many sessions are completed, and how many of them have a summary. */
export async function countSummaries(ctx: Ctx): Promise<SummaryCounts> {
  authorize(ctx, 'scheduling:appointment:read')
  const [row] = await ctx.query<SummaryCounts>({
    name: 'scheduling.summary-counts',
    text: `select count(*) as completed, count(*) filter (where a.summary_generated) as generated,
        count(distinct a.client_id) filter (where a.summary_generated) as clients, min(a.start_time) as first
      ${visibleAppointmentsSql} and a.completed_at is not null`,
    values: [ctx.coachId],
  })
  return row!
}
