import { createHash } from 'node:crypto'
import { dayMs } from '#app/lib/time.ts'
import { parseId } from '#app/lib/url.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { createToken, hashToken } from '#tenants/auth/signing-keys.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { formatCalendar, getEventUid, streamCalendar, type CalendarEvent } from '../messages/ics.ts'
import { visibleAppointmentsSql } from '../records.ts'

export type Feed = { showsDetails: boolean; createdAt: string; lastReadAt: string | null }

/** The coach's feed, without its secret; null if there is none. */
export async function findFeed(ctx: Ctx): Promise<Feed | null> {
  authorize(ctx, 'scheduling:appointment:read')
  const [feed] = await ctx.query<Feed>({
    name: 'scheduling.feed',
    text: `select shows_details as "showsDetails", ${isoTimestamp('created_at')} as "createdAt",
      ${isoTimestamp('last_read_at')} as "lastReadAt" from calendar_feed where coach_id = $1`,
    values: [ctx.coachId],
  })
  return feed ?? null
}

/** Makes a new address and ends the one before. Only its hash is stored: it is returned once. */
export async function renewFeed(ctx: WriteCtx, { showsDetails }: { showsDetails: boolean }): Promise<string> {
  authorize(ctx, 'scheduling:appointment:write')
  const { token, tokenHash } = createToken()
  await ctx.query({
    name: 'scheduling.renew-feed',
    text: `insert into calendar_feed (coach_id, token_hash, shows_details, created_at) values ($1, $2, $3, $4)
      on conflict (coach_id) do update set token_hash = excluded.token_hash, shows_details = excluded.shows_details,
        created_at = excluded.created_at, last_read_at = null`,
    values: [ctx.coachId, tokenHash, showsDetails, ctx.now()],
  })
  return `${ctx.platform.config.origin}/calendar-feed/${ctx.coachId}-${token}.ics`
}

/** Ends the address. */
export async function deleteFeed(ctx: WriteCtx): Promise<void> {
  authorize(ctx, 'scheduling:appointment:write')
  await ctx.query({
    name: 'scheduling.delete-feed',
    text: 'delete from calendar_feed where coach_id = $1',
    values: [ctx.coachId],
  })
}

/** The parts of the last segment of a feed's address; null for another text. */
export function parseFeedToken(segment: string): { coachId: number; token: string } | null {
  const [, coachId, token] = /^([1-9]\d{0,15})-([\w-]{43})\.ics$/.exec(segment) ?? []
  return coachId && token ? { coachId: parseId(coachId), token } : null
}

/** Whether the feed shows details; null for a token that is not the present one. */
export async function openFeed(ctx: Ctx, token: string): Promise<Pick<Feed, 'showsDetails'> | null> {
  const [feed] = await ctx.query<Pick<Feed, 'showsDetails'> & { isNoted: boolean }>({
    name: 'scheduling.open-feed',
    text: `select shows_details as "showsDetails", coalesce(last_read_at > $3, false) as "isNoted"
      from calendar_feed where coach_id = $1 and token_hash = $2`,
    values: [ctx.coachId, hashToken(token), new Date(ctx.now().getTime() - 3_600_000)],
  })
  if (!feed) return null
  if (!feed.isNoted) await ctx.write((tx) => noteRead(tx))
  return feed
}

/** At most once an hour. */
async function noteRead(ctx: WriteCtx): Promise<void> {
  await ctx.query({
    name: 'scheduling.feed-read',
    text: 'update calendar_feed set last_read_at = $2 where coach_id = $1',
    values: [ctx.coachId, ctx.now()],
  })
}

/** Days before and after today, and the most appointments. */
const [pastDays, futureDays, maxEvents] = [60, 400, 2000]

/** The feed as a calendar file. It changes only when an appointment does, so that its ETag stays. */
export async function writeFeed(ctx: Ctx, { showsDetails }: Pick<Feed, 'showsDetails'>): Promise<string> {
  authorize(ctx, 'scheduling:appointment:read')
  const today = Math.floor(ctx.now().getTime() / dayMs) * dayMs
  const rows = await ctx.query<EventRow>({
    name: 'scheduling.feed-events',
    text: `select ${eventColumns} ${visibleAppointmentsSql} and a.start_time >= $2 and a.start_time < $3
      order by a.start_time, a.id limit ${maxEvents}`,
    values: [ctx.coachId, new Date(today - pastDays * dayMs), new Date(today + futureDays * dayMs)],
  })
  const events = rows.map((row) => toEvent(ctx, row))
  return formatCalendar(
    showsDetails ? events : events.filter(({ status }) => status !== 'CANCELLED').map(hideDetails),
    {
      method: 'PUBLISH',
      name: getCalendarName(ctx),
    },
  )
}

const getCalendarName = ({ account }: Ctx): string => account.businessName ?? `${account.firstName} ${account.lastName}`

/** All appointments as a calendar file, earliest first, in parts. `batchSize`: events of a part. */
export function exportCalendar(ctx: Ctx, { batchSize = 500 } = {}): AsyncGenerator<string> {
  authorize(ctx, 'scheduling:appointment:read')
  return streamCalendar(listEvents(ctx, batchSize), { method: 'PUBLISH', name: getCalendarName(ctx) })
}

async function* listEvents(ctx: Ctx, batchSize: number): AsyncGenerator<CalendarEvent[]> {
  let after = { startTime: '-infinity', id: 0 }
  for (;;) {
    const rows = await ctx.query<EventRow>({
      name: 'scheduling.calendar-export',
      text: `select ${eventColumns} ${visibleAppointmentsSql} and (a.start_time, a.id) > ($2::timestamptz, $3::bigint)
        order by a.start_time, a.id limit $4`,
      values: [ctx.coachId, after.startTime, after.id, batchSize],
    })
    if (rows.length) yield rows.map((row) => toEvent(ctx, row))
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    after = last
  }
}

/** One appointment as a calendar file; null if there is no such appointment. */
export async function writeAppointmentFile(ctx: Ctx, id: number, { forCoach }: { forCoach: boolean }) {
  authorize(ctx, 'scheduling:appointment:read')
  const [row] = await ctx.query<EventRow>({
    name: 'scheduling.calendar-file',
    text: `select ${eventColumns} ${visibleAppointmentsSql} and a.id = $2`,
    values: [ctx.coachId, id],
  })
  if (!row) return null
  const event = toEvent(ctx, row)
  // The description is the coach's own note, not for the attendee.
  return formatCalendar([forCoach ? event : { ...event, description: null }], { method: 'PUBLISH' })
}

type EventRow = {
  id: number
  uidNamesHost: boolean
  title: string
  description: string | null
  place: string | null
  status: string
  startTime: string
  endTime: string
  updatedAt: string
  sequence: number
}

const eventColumns = `a.id, a.uid_names_host as "uidNamesHost", a.title, a.description,
  coalesce(a.meeting_url, a.location) as place, a.status,
  ${isoTimestamp('a.start_time')} as "startTime", ${isoTimestamp('a.end_time')} as "endTime",
  ${isoTimestamp('a.updated_at')} as "updatedAt", greatest(a.version, (
    select max(m.sequence) from appointment_message m where m.coach_id = $1 and m.appointment_id = a.id)) as sequence`

function toEvent(ctx: Ctx, { id, uidNamesHost, title, description, place, ...row }: EventRow): CalendarEvent {
  return {
    uid: getEventUid(ctx.platform.config, ctx.coachId, { id, uidNamesHost }),
    sequence: row.sequence,
    stamp: new Date(row.updatedAt),
    start: new Date(row.startTime),
    end: new Date(row.endTime),
    title,
    description,
    location: place,
    status: row.status === 'cancelled' ? 'CANCELLED' : 'CONFIRMED',
  }
}

const hideDetails = ({ uid, sequence, stamp, start, end, status }: CalendarEvent): CalendarEvent => ({
  uid,
  sequence,
  stamp,
  start,
  end,
  status,
  title: 'Busy',
})

export const getEtag = (file: string): string => `"${createHash('sha256').update(file).digest('base64url')}"`
