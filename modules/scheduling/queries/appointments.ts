import { addDays, dateOf, dayStart, monthSpan } from '#app/lib/time.ts'
import type { Query } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Place } from '#tenants/api/cursor.ts'
import {
  appointmentNotFound,
  appointmentRecordSql,
  listedSql,
  shownSql,
  type AppointmentRecord,
  type ListedAppointment,
} from '../output.ts'

export type AppointmentsWanted = {
  /** Those that start from here on, and before `to`. */
  from?: Date | undefined
  to?: Date | undefined
  clientId?: number | undefined
  /** Completed ones that have no summary. */
  pendingSummary?: boolean
  /** null: all of them. */
  rows?: number | null
  after?: Place | null
}

/** Appointments by the time at which they start. */
export async function appointmentsByStart(ctx: Ctx, wanted: AppointmentsWanted): Promise<AppointmentRecord[]> {
  authorize(ctx, 'scheduling:appointment:read')
  return ctx.rows<AppointmentRecord>(byStartQuery(wanted))
}

function byStartQuery({
  from,
  to,
  clientId,
  pendingSummary = false,
  rows = null,
  after = null,
}: AppointmentsWanted): Query {
  const values: unknown[] = []
  const use = (value: unknown) => `$${values.push(value)}`
  const filters = [
    ...(from ? [['from', `a.start_time >= ${use(from)}`]] : []),
    ...(to ? [['to', `a.start_time < ${use(to)}`]] : []),
    ...(clientId === undefined ? [] : [['client', `a.client_id = ${use(clientId)}`]]),
    ...(pendingSummary ? [['pending', 'a.completed_at is not null']] : []),
    ...(after ? [['after', `(a.start_time, a.id) > (${use(after.at)}::timestamptz, ${use(after.id)}::bigint)`]] : []),
  ]
  return {
    name: `calendar.appointments${filters.map(([name]) => `-${name}`).join('')}${rows === null ? '' : '-limit'}`,
    text: `select ${appointmentRecordSql} ${shownSql}${filters.map(([, sql]) => ` and ${sql}`).join('')}
      order by a.start_time, a.id${rows === null ? '' : ` limit ${use(rows)}`}`,
    values,
  }
}

/** One appointment. Throws not_found, also while its client or prospect is in the trash. */
export async function appointmentOf(ctx: Ctx, id: number): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:read')
  const [found] = await ctx.rows<AppointmentRecord>({
    name: 'scheduling.appointment',
    text: `select ${appointmentRecordSql} ${shownSql} and a.id = $1`,
    values: [id],
  })
  if (!found) throw appointmentNotFound()
  return found
}

export type AppointmentOnScreen = AppointmentRecord & {
  version: number
  clientZone: string | null
  clientSince: Date | null
  typeName: string | null
  sessionNotes: string | null
}

/** As `appointmentOf`, with what its dialogs show. Throws not_found. */
export async function appointmentOnScreen(ctx: Ctx, id: number): Promise<AppointmentOnScreen> {
  authorize(ctx, 'scheduling:appointment:read')
  const [found] = await ctx.rows<AppointmentOnScreen>({
    name: 'scheduling.appointment-on-screen',
    text: `select ${appointmentRecordSql}, a.version, coalesce(c.timezone, p.timezone) as "clientZone", c.created_at as "clientSince", t.name as "typeName",
      a.session_notes as "sessionNotes" ${shownSql} and a.id = $1`,
    values: [id],
  })
  if (!found) throw appointmentNotFound()
  return found
}

/** The coach's day that holds `now`, as instants. */
export function today({ account: { timezone }, now }: Pick<Ctx, 'account' | 'now'>): { from: Date; to: Date } {
  const date = dateOf(now(), timezone)
  return { from: dayStart(date, timezone), to: dayStart(addDays(date, 1), timezone) }
}

/** The coach's month that holds `now`, as instants. */
export function thisMonth({ account: { timezone }, now }: Pick<Ctx, 'account' | 'now'>): { from: Date; to: Date } {
  return monthSpan(dateOf(now(), timezone).slice(0, 7), timezone)
}

/** As the figure of the dashboard: the sessions that start in the coach's month and are not cancelled. */
export function sessionsQuery(ctx: Pick<Ctx, 'account' | 'now'>): Query {
  const { from, to } = thisMonth(ctx)
  return {
    name: 'scheduling.sessions',
    text: `select count(*) as value ${shownSql} and a.start_time >= $1 and a.start_time < $2 and a.status <> 'cancelled'`,
    values: [from, to],
  }
}

export type Shown = { from: Date; to: Date; clientId: number | null }

/** What the calendar shows of a span, also what begins before it, and the first five from now on that are not cancelled. */
export async function calendarOf(
  ctx: Ctx,
  { from, to, clientId }: Shown,
): Promise<{ appointments: ListedAppointment[]; upcoming: ListedAppointment[] }> {
  authorize(ctx, 'scheduling:appointment:read')
  const one = clientId === null ? '' : ' and a.client_id = $3'
  const name = clientId === null ? '' : '-client'
  const whose = clientId === null ? [] : [clientId]
  const [appointments, upcoming] = (await ctx.rowsOf([
    {
      name: `calendar.shown${name}`,
      text: `select ${listedSql} ${shownSql} and a.start_time < $2 and a.end_time > $1${one} order by a.start_time, a.id`,
      values: [from, to, ...whose],
    },
    {
      name: `calendar.upcoming${name}`,
      text: `select ${listedSql} ${shownSql} and a.start_time >= $1 and a.status <> 'cancelled'${one.replace('$3', '$2')} order by a.start_time, a.id limit ${upcomingRows}`,
      values: [ctx.now(), ...whose],
    },
  ])) as [ListedAppointment[], ListedAppointment[]]
  return { appointments, upcoming }
}

/** part-2 §9 */
export const upcomingRows = 5

/** The sessions that `sessionsQuery` counts, and how many of them have not begun. */
export async function monthInFigures(ctx: Ctx): Promise<{ count: number; ahead: number }> {
  authorize(ctx, 'scheduling:appointment:read')
  const { from, to } = thisMonth(ctx)
  const [row] = await ctx.rows<{ count: number; ahead: number }>({
    name: 'scheduling.month',
    text: `select count(*), count(*) filter (where a.start_time > $3) as ahead ${shownSql} and a.start_time >= $1 and a.start_time < $2 and a.status <> 'cancelled'`,
    values: [from, to, ctx.now()],
  })
  return row!
}

/** The sessions of one client that have begun, the latest first. */
export async function sessionsOfClient(
  ctx: Ctx,
  clientId: number,
  rows: number,
): Promise<(ListedAppointment & { description: string | null })[]> {
  authorize(ctx, 'scheduling:appointment:read')
  return ctx.rows({
    name: 'scheduling.of-client',
    text: `select ${listedSql}, left(a.description, 500) as description ${shownSql} and a.client_id = $1 and a.start_time <= $2 order by a.start_time desc, a.id desc limit $3`,
    values: [clientId, ctx.now(), rows],
  })
}

/** When each of these clients was last met, and will be next; what is cancelled doesn't count. */
export async function sessionsOfClients(
  ctx: Ctx,
  clientIds: number[],
): Promise<{ clientId: number; last: Date | null; next: Date | null }[]> {
  authorize(ctx, 'scheduling:appointment:read')
  return ctx.rows({
    name: 'scheduling.of-clients',
    text: `select client_id as "clientId", max(start_time) filter (where start_time < $2) as last, min(start_time) filter (where start_time >= $2) as next
      from appointment where deleted_at is null and status <> 'cancelled' and client_id = any($1::bigint[]) group by client_id`,
    values: [clientIds, ctx.now()],
  })
}
