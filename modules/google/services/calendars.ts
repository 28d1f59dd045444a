import type { calendar_v3 } from '@googleapis/calendar'
import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { replaceOtherTimes } from '#modules/scheduling/index.ts'
import { lockConnection } from '../queries/connection.ts'
import { GoogleError } from '../vendor/errors.ts'
import { CalendarListResponse, type ListedCalendar } from '../vendor/responses.ts'
import { busySource } from './events.ts'
import { unlinkCalendar, markAllChanged } from './links.ts'
import { requestSync } from './queue.ts'

/** Nobody has more; a list without an end is garbage. */
const maxPages = 20

/** The calendars of the account, also those hidden from its list: they still block time. */
export async function fetchCalendars(api: calendar_v3.Calendar): Promise<ListedCalendar[]> {
  const found: ListedCalendar[] = []
  let pageToken: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const params = { maxResults: 250, showHidden: true, ...(pageToken ? { pageToken } : {}) }
    const { data } = await api.calendarList.list(params)
    const { items, nextPageToken } = CalendarListResponse.parse(data)
    found.push(...items.filter(({ deleted }) => !deleted))
    if (!nextPageToken) return found
    pageToken = nextPageToken
  }
  throw new GoogleError('down', { code: 'garbage' })
}

/**
 * Adds new calendars, renames known ones and removes the others. At first the primary one blocks time and is written
 * to.
 */
export async function storeCalendars(ctx: WriteCtx, connectionId: number, calendars: ListedCalendar[]): Promise<void> {
  const known = await ctx.query<{ id: number; calendarId: string }>({
    name: 'google.known-calendars',
    text: 'select id, calendar_id as "calendarId" from google_calendar where coach_id = $1',
    values: [ctx.coachId],
  })
  for (const calendar of calendars)
    await ctx.query({
      name: 'google.store-calendar',
      text: `insert into google_calendar
          (coach_id, connection_id, calendar_id, name, timezone, is_primary, can_write, blocks, is_target)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
        on conflict (coach_id, calendar_id) do update set name = excluded.name, timezone = excluded.timezone,
          is_primary = excluded.is_primary, can_write = excluded.can_write`,
      values: [
        ctx.coachId,
        connectionId,
        calendar.id,
        (calendar.summaryOverride ?? calendar.summary).slice(0, 255) || calendar.id.slice(0, 255),
        calendar.timeZone ?? ctx.account.timezone,
        calendar.primary,
        canWrite(calendar),
        known.length === 0 && calendar.primary && canWrite(calendar),
      ],
    })
  const listed = new Set(calendars.map(({ id }) => id))
  for (const { id, calendarId } of known) if (!listed.has(calendarId)) await deleteCalendar(ctx, id)
}

const canWrite = ({ accessRole }: ListedCalendar): boolean => accessRole === 'owner' || accessRole === 'writer'

/** Removes a calendar that no longer exists; its times are free again. */
export async function deleteCalendar(ctx: WriteCtx, id: number): Promise<void> {
  await deleteEvents(ctx, id)
  await unlinkCalendar(ctx, id)
  await ctx.query({
    name: 'google.delete-calendar',
    text: 'delete from google_calendar where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
}

/** Forgets the events of a calendar; the next sync reads all of them. */
async function deleteEvents(ctx: WriteCtx, calendarId: number): Promise<void> {
  const events = await ctx.query<{ id: number }>({
    name: 'google.delete-events',
    text: 'delete from google_event where coach_id = $1 and google_calendar_id = $2 returning id',
    values: [ctx.coachId, calendarId],
  })
  await replaceOtherTimes(ctx, busySource, { eventIds: events.map(({ id }) => id), times: [] })
  await ctx.query({
    name: 'google.forget-sync-token',
    text: 'update google_calendar set sync_token = null where coach_id = $1 and id = $2',
    values: [ctx.coachId, calendarId],
  })
}

export type CalendarChoice = { targetId: number | null; blockingIds: number[]; addsMeetLinks: boolean }

/**
 * Chooses the calendar that appointments are written to and those that block time. Throws not_found, validation_failed.
 */
export async function chooseCalendars(ctx: WriteCtx, choice: CalendarChoice): Promise<void> {
  authorize(ctx, 'google:connection:write')
  await lockConnection(ctx)
  const calendars = await ctx.query<{ id: number; canWrite: boolean; blocks: boolean; isTarget: boolean }>({
    name: 'google.lock-calendars',
    text: `select id, can_write as "canWrite", blocks, is_target as "isTarget" from google_calendar
      where coach_id = $1 order by id for update`,
    values: [ctx.coachId],
  })
  const ids = new Set(calendars.map(({ id }) => id))
  if (choice.blockingIds.some((id) => !ids.has(id))) throw new AppError('not_found', 'Calendar not found')
  const target = calendars.find(({ id }) => id === choice.targetId)
  if (choice.targetId !== null && !target?.canWrite)
    throw new AppError('validation_failed', 'Choose a calendar that you may change.', { field: 'target' })
  for (const { id, blocks } of calendars) if (blocks !== choice.blockingIds.includes(id)) await deleteEvents(ctx, id)
  // One statement at a time: at most one is the target at any moment.
  for (const isTarget of [false, true])
    await ctx.query({
      name: `google.choose-${isTarget}`,
      text: `update google_calendar set blocks = id = any($2::bigint[]), is_target = $4
        where coach_id = $1 and (id is not distinct from $3) = $4`,
      values: [ctx.coachId, choice.blockingIds, choice.targetId, isTarget],
    })
  await ctx.query({
    name: 'google.choose-meet',
    text: 'update google_connection set adds_meet_links = $2 where coach_id = $1',
    values: [ctx.coachId, choice.addsMeetLinks],
  })
  await markAllChanged(ctx)
  await requestSync(ctx)
}

export type CalendarRow = {
  id: number
  calendarId: string
  name: string
  timezone: string
  canWrite: boolean
  blocks: boolean
  isTarget: boolean
  isPrimary: boolean
  syncToken: string | null
}

/** The primary calendar first. */
export async function listCalendars(ctx: Ctx): Promise<CalendarRow[]> {
  authorize(ctx, 'google:connection:read')
  return ctx.query<CalendarRow>({
    name: 'google.calendars',
    text: `select id, calendar_id as "calendarId", name, timezone, can_write as "canWrite", blocks,
        is_target as "isTarget", is_primary as "isPrimary", sync_token as "syncToken"
      from google_calendar where coach_id = $1 order by is_primary desc, lower(name), id`,
    values: [ctx.coachId],
  })
}
