import { dayMs, dayStart } from '#app/lib/time.ts'
import { insertRows } from '#db/insert-rows.ts'
import { replaceOtherTimes, type OtherTime } from '#modules/scheduling/index.ts'
import type { WriteCtx } from '#tenants/context.ts'
import type { GoogleEvent } from '../vendor/responses.ts'
import { expandSeries } from '../recurrence.ts'

/** The `source` of busy times from Google. */
export const busySource = 'google'
/** How far ahead series are expanded, and how long the past is kept. */
const [aheadDays, pastDays] = [400, 7]

/** An event as it is stored; without times it takes place no more. */
export type EventRow = {
  eventId: string
  startTime: Date | null
  endTime: Date | null
  timezone: string
  recurrence: string | null
  seriesEventId: string | null
  originalStart: Date | null
}

/** `timezone`: of the calendar, in which its whole days are. */
export function toEventRow(event: GoogleEvent, timezone: string): EventRow {
  const start = toInstant(event.start, timezone)
  const end = toInstant(event.end, timezone)
  const takesPlace = start && end && end > start && isBlocking(event)
  return {
    eventId: event.id,
    startTime: takesPlace ? start : null,
    endTime: takesPlace ? end : null,
    timezone: (event.start?.dateTime && event.start.timeZone) || timezone,
    recurrence: event.recurrence?.join('\n') ?? null,
    seriesEventId: event.recurringEventId ?? null,
    originalStart: event.recurringEventId ? toInstant(event.originalStartTime, timezone) : null,
  }
}

export function toInstant(time: GoogleEvent['start'], timezone: string): Date | null {
  if (time?.dateTime) return new Date(time.dateTime)
  return time?.date ? dayStart(time.date, timezone) : null
}

/** Free, declined and deleted events block nothing, nor does the place of work. */
function isBlocking({ status, transparency, eventType, attendees }: GoogleEvent): boolean {
  return (
    status !== 'cancelled' &&
    transparency !== 'transparent' &&
    eventType !== 'workingLocation' &&
    !attendees.some(({ self, responseStatus }) => self && responseStatus === 'declined')
  )
}

type Change = { calendarId: number; events: EventRow[]; isComplete: boolean }

/**
 * Stores changed events of a calendar and their busy times. `isComplete`: those that are not among them are deleted.
 */
export async function storeEvents(ctx: WriteCtx, { calendarId, events, isComplete }: Change): Promise<void> {
  const since = new Date(ctx.now().getTime() - pastDays * dayMs)
  // The last one wins if an event is on two pages.
  const byId = new Map(events.map((event) => [event.eventId, event]))
  const kept = [...byId.values()].filter((event) => isKept(event, since))
  const keptIds = new Set(kept.map(({ eventId }) => eventId))
  const deleted = [...byId.keys()].filter((id) => !keptIds.has(id))
  await deleteEvents(ctx, calendarId, isComplete ? { allBut: [...keptIds] } : { ids: deleted })
  const changed = [...(await upsertEvents(ctx, calendarId, kept))]
  // A changed exception changes the times of its series.
  const seriesIds = new Set(events.flatMap(({ seriesEventId }) => seriesEventId ?? []))
  await updateBusyTimes(ctx, calendarId, { ids: changed, eventIds: [...seriesIds] })
}

/** An exception without times counts: it removes a time of its series. One that was moved counts until both are past. */
function isKept({ endTime, recurrence, seriesEventId, originalStart }: EventRow, since: Date): boolean {
  if (seriesEventId !== null)
    return originalStart !== null && (originalStart > since || (endTime !== null && endTime > since))
  return endTime !== null && (recurrence !== null || endTime > since)
}

/** Deletes these events with the exceptions of their series, or all but these. */
async function deleteEvents(
  ctx: WriteCtx,
  calendarId: number,
  events: { ids: string[] } | { allBut: string[] },
): Promise<void> {
  const [name, filter, ids] =
    'ids' in events
      ? ['changed-events', '(event_id = any($3) or series_event_id = any($3))', events.ids]
      : ['other-events', 'event_id <> all($3)', events.allBut]
  const deleted = await ctx.query<{ id: number }>({
    name: `google.delete-${name}`,
    text: `delete from google_event where coach_id = $1 and google_calendar_id = $2 and ${filter} returning id`,
    values: [ctx.coachId, calendarId, ids],
  })
  await replaceOtherTimes(ctx, busySource, { eventIds: deleted.map(({ id }) => id), times: [] })
}

/** Forgets everything that was read: its times are free, and the next sync reads all of it again. */
export async function forgetEvents(ctx: WriteCtx): Promise<void> {
  const events = await ctx.query<{ id: number }>({
    name: 'google.delete-all-events',
    text: 'delete from google_event where coach_id = $1 returning id',
    values: [ctx.coachId],
  })
  await replaceOtherTimes(ctx, busySource, { eventIds: events.map(({ id }) => id), times: [] })
  await ctx.query({
    name: 'google.forget-sync-tokens',
    text: 'update google_calendar set sync_token = null where coach_id = $1 and sync_token is not null',
    values: [ctx.coachId],
  })
}

/** Rows of one statement: Postgres takes at most 65,535 parameters. */
const maxRows = 5000

async function upsertEvents(ctx: WriteCtx, calendarId: number, events: EventRow[]): Promise<number[]> {
  const ids: number[] = []
  for (let from = 0; from < events.length; from += maxRows) {
    const rows = events.slice(from, from + maxRows).map((event) => ({
      coach_id: ctx.coachId,
      google_calendar_id: calendarId,
      event_id: event.eventId,
      start_time: event.startTime,
      end_time: event.endTime,
      timezone: event.timezone,
      recurrence: event.recurrence,
      series_event_id: event.seriesEventId,
      original_start: event.originalStart,
    }))
    const { text, values } = insertRows('google_event', rows)
    const stored = await ctx.query<{ id: number }>({
      text: `${text} on conflict (coach_id, google_calendar_id, event_id) do update
        set start_time = excluded.start_time, end_time = excluded.end_time, timezone = excluded.timezone,
          recurrence = excluded.recurrence, series_event_id = excluded.series_event_id,
          original_start = excluded.original_start
        returning id`,
      values: values ?? [],
    })
    ids.push(...stored.map(({ id }) => id))
  }
  return ids
}

type StoredEvent = Omit<EventRow, 'startTime' | 'endTime'> & {
  id: number
  startTime: Date | null
  endTime: Date | null
}

/** Sets the busy times of events, by our ids or Google's. */
async function updateBusyTimes(
  ctx: WriteCtx,
  calendarId: number,
  { ids, eventIds }: { ids: number[]; eventIds: string[] },
): Promise<void> {
  const events = await ctx.query<StoredEvent & { except: (string | Date)[] }>({
    name: 'google.events-to-expand',
    text: `select e.id, e.event_id as "eventId", e.start_time as "startTime", e.end_time as "endTime", e.timezone,
        e.recurrence, case when e.recurrence is null then '{}' else array(
          select x.original_start from google_event x
          where x.coach_id = $1 and x.google_calendar_id = $2 and x.series_event_id = e.event_id
            and x.original_start is not null) end as except
      from google_event e
      where e.coach_id = $1 and e.google_calendar_id = $2 and (e.id = any($3::bigint[]) or e.event_id = any($4))`,
    values: [ctx.coachId, calendarId, ids, eventIds],
  })
  await replaceOtherTimes(ctx, busySource, {
    eventIds: events.map(({ id }) => id),
    times: events.flatMap((event) => listTimes(ctx, event)),
  })
}

function listTimes(
  ctx: WriteCtx,
  { id, startTime, endTime, timezone, recurrence, except }: StoredEvent & { except: (string | Date)[] },
): OtherTime[] {
  if (!startTime || !endTime) return []
  const [start, end] = [new Date(startTime), new Date(endTime)]
  if (recurrence === null) return [{ eventId: id, start, end }]
  const now = ctx.now().getTime()
  return expandSeries(
    { start, end, timezone, recurrence: recurrence.split('\n') },
    {
      from: new Date(now - dayMs),
      to: new Date(now + aheadDays * dayMs),
      except: except.map((date) => new Date(date)),
    },
  ).map((time) => ({ eventId: id, ...time }))
}

/** Expands all series anew, since the days ahead move on, and deletes past events. */
export async function refreshBusyTimes(ctx: WriteCtx): Promise<void> {
  const past = await ctx.query<{ id: number }>({
    name: 'google.delete-past-events',
    text: `delete from google_event
      where coach_id = $1 and recurrence is null and greatest(end_time, original_start) < $2 returning id`,
    values: [ctx.coachId, new Date(ctx.now().getTime() - pastDays * dayMs)],
  })
  await replaceOtherTimes(ctx, busySource, { eventIds: past.map(({ id }) => id), times: [] })
  const series = await ctx.query<{ id: number; calendarId: number }>({
    name: 'google.series',
    text: `select id, google_calendar_id as "calendarId" from google_event
      where coach_id = $1 and recurrence is not null`,
    values: [ctx.coachId],
  })
  for (const [calendarId, events] of Map.groupBy(series, (event) => event.calendarId))
    await updateBusyTimes(ctx, calendarId, { ids: events.map(({ id }) => id), eventIds: [] })
}
