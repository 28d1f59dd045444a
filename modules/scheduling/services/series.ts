import { AppError } from '#app/lib/errors.ts'
import { localDate, localTime } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { joinClient } from '#modules/crm/index.ts'
import { joinProspect } from '../prospects.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { timeToMinutes } from '../day-segments.ts'
import type { Scope } from '../fields.ts'
import type { AppointmentEdit, NewAppointment, NewAppointments } from '../forms.ts'
import { groupMessages } from '../messages/group.ts'
import { getAppointment } from '../queries/appointments.ts'
import { getSeriesRule, type SeriesRule } from '../queries/series.ts'
import type { OwnField } from '../recurrence/own-fields.ts'
import { getRuleStart, listOccurrences, moveOccurrence, type Recurrence } from '../recurrence/rule.ts'
import { visibleAppointmentsSql, type AppointmentRecord } from '../records.ts'
import {
  createAppointment,
  deleteAppointment,
  insertAppointment,
  lockAttendee,
  restoreAppointment,
  updateAppointment,
} from './appointments.ts'

// Changes that may be for several sessions of a series. Lock order: attendees, series, appointments by id.

/** Adds an appointment, or with `recurrence` a series; returns the first. Throws as `createAppointment` does. */
export async function createAppointments(
  ctx: WriteCtx,
  { recurrence, ...input }: NewAppointments,
): Promise<AppointmentRecord> {
  return recurrence ? createSeries(ctx, input, recurrence) : createAppointment(ctx, input)
}

async function createSeries(
  ctx: WriteCtx,
  { notify, ...input }: NewAppointment,
  { count, until, weekdays, ...frequency }: Recurrence,
): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  if (notify) requireVerifiedEmail(ctx)
  if (input.status === 'completed') throw new AppError('validation_failed', completeEach, { field: 'status' })
  const timezone = input.timezone ?? ctx.account.timezone
  const { weekStart } = ctx.account
  const rule = { ...frequency, timezone, ...toRuleTimes(input, timezone) }
  const listed = listOccurrences(localDate(input.startTime, timezone), {
    ...frequency,
    weekdays,
    weekStart,
    count,
    until,
  })
  if ('problem' in listed) throw new AppError('validation_failed', listed.problem, { field: 'recurrence' })
  await lockAttendee(ctx, input)
  const seriesId = await insertSeries(ctx, rule)
  const ids: number[] = []
  for (const [index, occurrenceDate] of listed.dates.entries()) {
    const startTime = index ? getRuleStart(occurrenceDate, rule) : input.startTime
    const endTime = addMinutes(startTime, rule.durationMinutes)
    const added = await insertAppointment(
      ctx,
      { ...input, timezone, startTime, endTime, bookedOnline: false, location: null, answers: [] },
      { notify, occurrence: { seriesId, occurrenceDate } },
    )
    ids.push(added.id)
  }
  await groupMessages(ctx, ids)
  return getAppointment(ctx, ids[0]!)
}

const completeEach = 'Complete each session on its own.'

/**
 * Changes an appointment and, by `scope`, other sessions of its series. What these have of their own stays, and so do
 * sessions that have begun, are completed or cancelled. `following` makes a series of its own of this session and the
 * later ones. Throws as `updateAppointment` does.
 */
export async function updateAppointments(
  ctx: WriteCtx,
  id: number,
  input: AppointmentEdit,
  { scope, expectedVersion }: { scope: Scope; expectedVersion?: number | undefined },
): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  const series = scope === 'this' ? null : await lockSeries(ctx, id, input)
  if (!series) return updateAppointment(ctx, id, input, expectedVersion)
  const before = await getAppointment(ctx, id)
  if (input.status === 'completed' && before.status !== 'completed')
    throw new AppError('validation_failed', completeEach, { field: 'status' })
  const edited = await updateAppointment(ctx, id, input, expectedVersion, { isOwn: false })
  const change = getChange(before, edited)
  if (!change.size) return edited

  const { date } = series.sessions.find((session) => session.id === id)!
  const rule = changeRule(series.rule, edited, change)
  const isSplit = scope === 'following' && series.sessions.some((session) => session.date < date)
  const seriesId = isSplit ? await splitSeries(ctx, series.id, rule, date) : await updateSeries(ctx, series.id, rule)
  const newDate = change.has('start') ? localDate(edited.startTime, rule.timezone) : date
  const dates = await moveOccurrences(ctx, seriesId, rule, { from: date, to: newDate })
  await forgetOwnFields(ctx, id, change)

  const meant = series.sessions.filter(
    (other) =>
      other.id !== id &&
      (scope === 'all' || other.date >= date) &&
      other.startTime > ctx.now() &&
      other.status !== 'completed' &&
      (other.status !== 'cancelled' || before.status === 'cancelled'),
  )
  for (const session of meant) {
    const edit = toEdit(session, change, { ...rule, date: dates.get(session.id)! })
    await updateAppointment(ctx, session.id, edit, undefined, { isOwn: false })
  }
  await groupMessages(ctx, [id, ...meant.map((session) => session.id)])
  return getAppointment(ctx, id)
}

/**
 * Moves an appointment to the trash and, by `scope`, other sessions of its series that are to come and not completed.
 * Throws not_found, also the second time.
 */
export async function deleteAppointments(ctx: WriteCtx, id: number, { scope }: { scope: Scope }): Promise<void> {
  authorize(ctx, 'scheduling:appointment:write')
  const series = scope === 'this' ? null : await lockSeries(ctx, id)
  if (!series) return deleteAppointment(ctx, id)
  const now = ctx.now()
  const { date } = series.sessions.find((session) => session.id === id)!
  const meant = series.sessions.filter(
    (other) =>
      other.id === id ||
      ((scope === 'all' || other.date >= date) && other.startTime > now && other.status !== 'completed'),
  )
  // They get the same time, by which `restoreAppointments` finds them.
  for (const session of meant) await deleteAppointment({ ...ctx, now: () => now }, session.id)
  await groupMessages(
    ctx,
    meant.map((session) => session.id),
  )
}

/**
 * Takes an appointment, and the sessions of its series that were deleted with it, out of the trash. Throws not_found.
 */
export async function restoreAppointments(ctx: WriteCtx, id: number): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:appointment:write')
  const deleted = await ctx.query<Attendee & { id: number; seriesId: number }>({
    name: 'scheduling.deleted-together',
    text: `select a.id, a.series_id as "seriesId", a.client_id as "clientId", a.prospect_id as "prospectId"
      from appointment a ${joinClient('a')} ${joinProspect('a')}
      join appointment one on one.coach_id = $1 and one.id = $2
        and one.series_id = a.series_id and one.deleted_at = a.deleted_at
      where a.coach_id = $1 and c.deleted_at is null and p.deleted_at is null order by a.id`,
    values: [ctx.coachId, id],
  })
  for (const attendee of deleted) await lockAttendee(ctx, attendee)
  if (deleted[0]) await lockSeriesRow(ctx, deleted[0].seriesId)
  for (const session of deleted) await restoreAppointment(ctx, session.id)
  await groupMessages(
    ctx,
    deleted.map((session) => session.id),
  )
  return restoreAppointment(ctx, id)
}

type Attendee = { clientId: number | null; prospectId: number | null }
type Session = Pick<AppointmentRecord, 'id' | 'status'> & {
  /** By the rule. */
  date: string
  startTime: Date
  endTime: Date
  ownFields: OwnField[]
}
type LockedSeries = { id: number; rule: SeriesRule; sessions: Session[] }

/** Locks the series of an appointment with its sessions outside the trash; null if it is in none. Throws not_found. */
async function lockSeries(
  ctx: WriteCtx,
  appointmentId: number,
  newAttendee: Pick<AppointmentEdit, 'clientId' | 'prospectId'> = {},
): Promise<LockedSeries | null> {
  let { seriesId } = await getAppointment(ctx, appointmentId)
  if (seriesId === null) return null
  await lockAttendee(ctx, newAttendee)
  const attendees = await ctx.query<Attendee>({
    name: 'scheduling.series-attendees',
    text: `select distinct a.client_id as "clientId", a.prospect_id as "prospectId" ${visibleAppointmentsSql}
      and a.series_id = $2 order by 1, 2`,
    values: [ctx.coachId, seriesId],
  })
  for (const attendee of attendees) await lockAttendee(ctx, attendee)
  // A change that splits the series may have been waited for.
  for (let locked = null; locked !== seriesId; { seriesId } = await getAppointment(ctx, appointmentId)) {
    await lockSeriesRow(ctx, seriesId!)
    locked = seriesId
  }
  const sessions = await ctx.query<Omit<Session, keyof Times> & Record<keyof Times, string>>({
    name: 'scheduling.lock-sessions',
    text: `select a.id, a.status, a.occurrence_date::text as date, a.own_fields as "ownFields",
        ${isoTimestamp('a.start_time')} as "startTime", ${isoTimestamp('a.end_time')} as "endTime"
      ${visibleAppointmentsSql} and a.series_id = $2 order by a.id for update of a`,
    values: [ctx.coachId, seriesId],
  })
  return {
    id: seriesId!,
    rule: await getSeriesRule(ctx, seriesId!),
    sessions: sessions.map(({ startTime, endTime, ...session }) => ({
      ...session,
      startTime: new Date(startTime),
      endTime: new Date(endTime),
    })),
  }
}

async function lockSeriesRow(ctx: WriteCtx, id: number): Promise<void> {
  await ctx.query({
    name: 'scheduling.lock-series',
    text: 'select id from appointment_series where coach_id = $1 and id = $2 for update',
    values: [ctx.coachId, id],
  })
}

/** The fields that differ, with what sets them in another session. The times follow the rule instead. */
type Change = Map<OwnField | 'status', AppointmentEdit>

function getChange(before: AppointmentRecord, after: AppointmentRecord): Change {
  const { title, status, clientId, prospectId, appointmentTypeId, meetingUrl, description } = after
  const hasChanged = (...names: (keyof AppointmentRecord)[]) => names.some((name) => before[name] !== after[name])
  const fields: [OwnField | 'status', boolean, AppointmentEdit][] = [
    ['title', hasChanged('title'), { title }],
    ['status', hasChanged('status'), { status }],
    ['attendee', hasChanged('clientId', 'prospectId'), clientId === null ? { prospectId } : { clientId }],
    ['type', hasChanged('appointmentTypeId'), { appointmentTypeId }],
    ['meetingUrl', hasChanged('meetingUrl'), { meetingUrl }],
    ['description', hasChanged('description'), { description }],
    ['start', hasChanged('startTime'), {}],
    ['length', getMinutes(before) !== getMinutes(after), {}],
  ]
  return new Map(fields.filter(([, isChanged]) => isChanged).map(([field, , edit]) => [field, edit]))
}

function changeRule(rule: SeriesRule, edited: AppointmentRecord, change: Change): SeriesRule {
  const { startMinute, durationMinutes } = toRuleTimes(edited, edited.timezone)
  return {
    ...rule,
    ...(change.has('start') ? { startMinute, timezone: edited.timezone } : {}),
    ...(change.has('length') ? { durationMinutes } : {}),
  }
}

/** Returns the change for one of the sessions: without the fields that this has of its own. */
function toEdit(session: Session, change: Change, rule: SeriesRule & { date: string }): AppointmentEdit {
  const shared = new Map([...change].filter(([field]) => !(session.ownFields as string[]).includes(field)))
  const isMoved = shared.has('start')
  const startTime = isMoved ? getRuleStart(rule.date, rule) : session.startTime
  const minutes = shared.has('length') ? rule.durationMinutes : getMinutes(session)
  return {
    ...Object.assign({}, ...shared.values()),
    startTime,
    endTime: addMinutes(startTime, minutes),
    ...(isMoved ? { timezone: rule.timezone } : {}),
  }
}

type Times = { startTime: string | Date; endTime: string | Date }

function toRuleTimes(times: Times, zone: string): Pick<SeriesRule, 'startMinute' | 'durationMinutes'> {
  const durationMinutes = getMinutes(times)
  if (new Date(times.startTime).getTime() % 60_000 !== 0 || !Number.isInteger(durationMinutes))
    throw new AppError('validation_failed', 'A series has times in whole minutes.', { field: 'startTime' })
  return { startMinute: timeToMinutes(localTime(times.startTime, zone)), durationMinutes }
}

const getMinutes = ({ startTime, endTime }: Times): number =>
  (new Date(endTime).getTime() - new Date(startTime).getTime()) / 60_000
const addMinutes = (time: Date, minutes: number): Date => new Date(time.getTime() + minutes * 60_000)

function insertSeries(
  ctx: WriteCtx,
  { unit, interval, startMinute, durationMinutes, timezone }: SeriesRule,
): Promise<number> {
  return insertRow(ctx, {
    table: 'appointment_series',
    name: 'scheduling.add-series',
    row: { unit, interval, startMinute, durationMinutes, timezone, createdAt: ctx.now() },
  })
}

async function updateSeries(
  ctx: WriteCtx,
  id: number,
  { startMinute, durationMinutes, timezone }: SeriesRule,
): Promise<number> {
  await ctx.query({
    name: 'scheduling.update-series',
    text: `update appointment_series set start_minute = $3, duration_minutes = $4, timezone = $5
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, startMinute, durationMinutes, timezone],
  })
  return id
}

/** Makes a series of the sessions from `date` on, also those in the trash. */
async function splitSeries(ctx: WriteCtx, id: number, rule: SeriesRule, date: string): Promise<number> {
  const newId = await insertSeries(ctx, rule)
  await ctx.query({
    name: 'scheduling.split-series',
    text: `update appointment set series_id = $4 where coach_id = $1 and series_id = $2 and occurrence_date >= $3`,
    values: [ctx.coachId, id, date, newId],
  })
  return newId
}

/** Moves the dates of a series with the one that moves `from`, `to`. Returns them by appointment. */
async function moveOccurrences(
  ctx: WriteCtx,
  seriesId: number,
  rule: SeriesRule,
  { from, to }: { from: string; to: string },
): Promise<Map<number, string>> {
  const rows = await ctx.query<{ id: number; date: string }>({
    name: 'scheduling.occurrence-dates',
    text: `select id, occurrence_date::text as date from appointment where coach_id = $1 and series_id = $2`,
    values: [ctx.coachId, seriesId],
  })
  const dates = new Map(rows.map(({ id, date }) => [id, date]))
  if (from === to) return dates
  for (const [id, date] of dates) dates.set(id, moveOccurrence(date, rule, { from, to }))
  await ctx.query({
    name: 'scheduling.move-occurrences',
    text: `update appointment a set occurrence_date = moved.date
      from unnest($2::bigint[], $3::date[]) as moved (id, date) where a.coach_id = $1 and a.id = moved.id`,
    values: [ctx.coachId, [...dates.keys()], [...dates.values()]],
  })
  return dates
}

/** Fields that were changed for the series are no longer the session's own. */
async function forgetOwnFields(ctx: WriteCtx, id: number, change: Change): Promise<void> {
  await ctx.query({
    name: 'scheduling.forget-own-fields',
    text: `update appointment set own_fields = array(select unnest(own_fields) except select unnest($3::text[]))
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, [...change.keys()]],
  })
}
