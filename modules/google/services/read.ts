import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { GoogleError } from '../vendor/errors.ts'
import { EventsResponse, type GoogleEvent } from '../vendor/responses.ts'
import { applyEvent, findLinks, listMissingLinks, type Link } from './apply.ts'
import { isOwnEvent } from './content.ts'
import { storeEvents, toEventRow, toInstant } from './events.ts'
import { callCalendar } from './tokens.ts'
import type { CalendarRow } from './calendars.ts'

/** 250,000 events; a list without an end is garbage. */
const maxPages = 100

/**
 * Reads what changed in a calendar since the last time: other events become busy times, those of appointments change
 * the appointments. Throws GoogleError.
 */
export async function readCalendar(ctx: Ctx, calendar: CalendarRow): Promise<void> {
  authorize(ctx, 'google:connection:write')
  const startedAt = ctx.now()
  const { events, syncToken, isComplete } = await fetchChanges(ctx, calendar)
  const links = await findLinks(ctx, calendar.id, [...new Set(events.map(({ id }) => id))])
  const byEvent = new Map(links.map((link) => [link.eventId, link]))
  for (const event of events) {
    const link = byEvent.get(event.id)
    if (link) await ctx.write((tx) => applyEvent(tx, link, event))
  }
  if (isComplete)
    for (const link of await listMissing(ctx, calendar.id, events, startedAt))
      await ctx.write((tx) => applyEvent(tx, link, null))
  const unlinked = events.filter(({ id }) => !byEvent.has(id))
  const orphans = new Set(unlinked.filter((event) => isOwnEvent(ctx, event)))
  for (const event of orphans) await deleteOrphan(ctx, calendar, event)
  const others = unlinked.filter((event) => !orphans.has(event))
  await ctx.write((tx) => storeChanges(tx, calendar, { others, syncToken, isComplete }))
}

function listMissing(ctx: Ctx, calendarId: number, events: GoogleEvent[], before: Date): Promise<Link[]> {
  return listMissingLinks(ctx, calendarId, { listed: events.map(({ id }) => id), writtenBefore: before })
}

type Changes = { events: GoogleEvent[]; syncToken: string; isComplete: boolean }

/** All events if there is no sync token, or Google no longer knows it. */
async function fetchChanges(ctx: Ctx, { calendarId, syncToken }: CalendarRow): Promise<Changes> {
  if (syncToken === null) return { ...(await fetchEvents(ctx, calendarId, null)), isComplete: true }
  try {
    return { ...(await fetchEvents(ctx, calendarId, syncToken)), isComplete: false }
  } catch (error) {
    // 410: too old. 400: of other parameters.
    if (!(error instanceof GoogleError) || (error.status !== 410 && error.status !== 400)) throw error
    return { ...(await fetchEvents(ctx, calendarId, null)), isComplete: true }
  }
}

async function fetchEvents(
  ctx: Ctx,
  calendarId: string,
  since: string | null,
): Promise<{ events: GoogleEvent[]; syncToken: string }> {
  const events: GoogleEvent[] = []
  let pageToken: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { items, nextPageToken, nextSyncToken } = await callCalendar(ctx, async (api) => {
      const { data } = await api.events.list({
        calendarId,
        // Series as they are: with single events Google leaves out some cancellations.
        singleEvents: false,
        showDeleted: true,
        maxResults: 2500,
        ...(since === null ? {} : { syncToken: since }),
        ...(pageToken ? { pageToken } : {}),
      })
      return EventsResponse.parse(data)
    })
    events.push(...items)
    if (nextSyncToken) return { events, syncToken: nextSyncToken }
    if (!nextPageToken) break
    pageToken = nextPageToken
  }
  throw new GoogleError('down', { code: 'garbage' })
}

/**
 * Deletes an event of a session that has it no more, such as one that was cancelled while the practice was not
 * connected. Events of the past stay.
 */
async function deleteOrphan(ctx: Ctx, { calendarId, timezone }: CalendarRow, event: GoogleEvent): Promise<void> {
  const end = toInstant(event.end, timezone)
  if (event.status === 'cancelled' || !end || end <= ctx.now()) return
  try {
    await callCalendar(ctx, (api) => api.events.delete({ calendarId, eventId: event.id, sendUpdates: 'none' }))
  } catch (error) {
    // The coach may no longer change the calendar.
    if (!(error instanceof GoogleError) || !['gone', 'refused'].includes(error.kind)) throw error
  }
}

type Stored = { others: GoogleEvent[]; syncToken: string; isComplete: boolean }

/** Events and token in one transaction: what the token skips is stored. */
async function storeChanges(
  ctx: WriteCtx,
  { id, timezone }: CalendarRow,
  { others, syncToken, isComplete }: Stored,
): Promise<void> {
  const [calendar] = await ctx.query<{ blocks: boolean }>({
    name: 'google.store-sync-token',
    text: `update google_calendar set sync_token = $3, synced_at = $4 where coach_id = $1 and id = $2 returning blocks`,
    values: [ctx.coachId, id, syncToken, ctx.now()],
  })
  if (calendar?.blocks)
    await storeEvents(ctx, { calendarId: id, events: others.map((event) => toEventRow(event, timezone)), isComplete })
}
