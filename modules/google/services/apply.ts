import { AppError, ignoreNotFound } from '#app/lib/errors.ts'
import { logActivity } from '#modules/crm/index.ts'
import {
  getAppointmentDetails,
  groupSeriesMessages,
  placeLabels,
  setGoogleEvent,
  updateAppointment,
  type AppointmentDetails,
} from '#modules/scheduling/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { GoogleEvent } from '../vendor/responses.ts'
import { hashContent } from './content.ts'

/** An appointment and its event. `changes` differs from `writtenChanges` while the appointment waits to be written. */
export type Link = {
  id: number
  appointmentId: number
  calendarId: number | null
  eventId: string | null
  generation: number
  etag: string | null
  eventUpdatedAt: Date | null
  startTime: Date | null
  endTime: Date | null
  contentHash: string | null
  meetUrl: string | null
  /** The coach asked for a Meet link. */
  wantsMeet: boolean
  changes: number
  writtenChanges: number
}

const linkColumns = `id, appointment_id as "appointmentId", google_calendar_id as "calendarId", event_id as "eventId",
  generation, etag, event_updated_at as "eventUpdatedAt", start_time as "startTime", end_time as "endTime",
  content_hash as "contentHash", meet_url as "meetUrl",
  wants_meet as "wantsMeet", changes, written_changes as "writtenChanges"`

type LinkRow = { [Name in keyof Link]: Link[Name] extends Date | null ? string | Date | null : Link[Name] }
const toDate = (value: string | Date | null): Date | null => (value === null ? null : new Date(value))
const toLink = (row: LinkRow): Link => ({
  ...row,
  eventUpdatedAt: toDate(row.eventUpdatedAt),
  startTime: toDate(row.startTime),
  endTime: toDate(row.endTime),
})

export async function findLinks(ctx: Ctx, calendarId: number, eventIds: string[]): Promise<Link[]> {
  const rows = await ctx.query<LinkRow>({
    name: 'google.links',
    text: `select ${linkColumns} from google_link
      where coach_id = $1 and google_calendar_id = $2 and event_id = any($3)`,
    values: [ctx.coachId, calendarId, eventIds],
  })
  return rows.map(toLink)
}

/** Upcoming events that a complete list lacks; those written since it began are too new for it. */
export async function listMissingLinks(
  ctx: Ctx,
  calendarId: number,
  { listed, writtenBefore }: { listed: string[]; writtenBefore: Date },
): Promise<Link[]> {
  const rows = await ctx.query<LinkRow>({
    name: 'google.missing-links',
    text: `select ${linkColumns} from google_link
      where coach_id = $1 and google_calendar_id = $2 and event_id is not null and event_id <> all($3)
        and written_at < $4 and end_time > $5`,
    values: [ctx.coachId, calendarId, listed, writtenBefore, ctx.now()],
  })
  return rows.map(toLink)
}

/** Those that wait, oldest first. */
export async function listChangedLinks(ctx: Ctx, after: number, limit: number): Promise<Link[]> {
  const rows = await ctx.query<LinkRow>({
    name: 'google.changed-links',
    text: `select ${linkColumns} from google_link
      where coach_id = $1 and changes > written_changes and id > $2 order by id limit $3`,
    values: [ctx.coachId, after, limit],
  })
  return rows.map(toLink)
}

export async function getLink(ctx: Ctx, id: number): Promise<Link | null> {
  const [row] = await ctx.query<LinkRow>({
    name: 'google.link',
    text: `select ${linkColumns} from google_link where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id],
  })
  return row ? toLink(row) : null
}

type LinkChange = Partial<Omit<Link, 'id' | 'appointmentId' | 'changes'>> & { writtenAt?: Date }

/** Changes a link; another change of the appointment in the meantime keeps waiting. */
export async function updateLink(ctx: WriteCtx, id: number, change: LinkChange): Promise<void> {
  const columns = Object.keys(change).sort()
  const toColumn = (name: string) =>
    name === 'calendarId' ? 'google_calendar_id' : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  await ctx.query({
    text: `update google_link set ${columns.map((name, index) => `${toColumn(name)} = $${index + 3}`).join(', ')}
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, ...columns.map((name) => change[name as keyof LinkChange] ?? null)],
  })
}

/** Has the event written again as the practice has it. */
async function writeAgain(ctx: WriteCtx, id: number): Promise<void> {
  await ctx.query({
    name: 'google.write-again',
    text: 'update google_link set changes = changes + 1, content_hash = null where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
}

/** Null: no such appointment, also while it or its attendee is in the trash. */
export async function findAppointment(ctx: Ctx, id: number): Promise<AppointmentDetails | null> {
  return getAppointmentDetails(ctx, id).catch(ignoreNotFound)
}

const isOpen = ({ status }: AppointmentDetails): boolean => status === 'scheduled' || status === 'confirmed'

/** A type by video without a link only says so: its sessions need one. */
const lacksPlace = ({ meetingUrl, location }: AppointmentDetails): boolean =>
  meetingUrl === null && (location === null || location === placeLabels.video)

/**
 * Makes the appointment follow its event (null: deleted). Who wins if both have changed is decision 0058; what the
 * practice refuses is put back in Google.
 */
export async function applyEvent(ctx: WriteCtx, read: Link, event: GoogleEvent | null): Promise<void> {
  const link = await getLink(ctx, read.id)
  if (!link || link.eventId !== read.eventId) return
  // Our own change, or an answer from before it.
  if (event && (event.etag === link.etag || (event.updated && new Date(event.updated) < (link.eventUpdatedAt ?? 0))))
    return
  const appointment = await findAppointment(ctx, link.appointmentId)
  if (!event || event.status === 'cancelled') return applyDeletion(ctx, link, appointment)
  const seen = { etag: event.etag, eventUpdatedAt: event.updated ? new Date(event.updated) : null }
  await updateLink(ctx, link.id, seen)
  if (!appointment || !isOpen(appointment)) return
  await applyTimes(ctx, link, appointment, event)
  await applyMeetLink(ctx, link, event)
}

/**
 * A deleted event cancels the appointment, whatever was changed here: a cancellation wins. A session that is over took
 * place all the same.
 */
async function applyDeletion(ctx: WriteCtx, link: Link, appointment: AppointmentDetails | null): Promise<void> {
  await updateLink(ctx, link.id, { calendarId: null, eventId: null, etag: null, contentHash: null })
  await setGoogleEvent(ctx, link.appointmentId, null)
  if (!appointment || !isOpen(appointment) || new Date(appointment.endTime) <= ctx.now()) return
  if (await tryChange(() => updateAppointment(ctx, appointment.id, { status: 'cancelled' })))
    return log(ctx, appointment, { type: 'google_cancelled', title: 'Session cancelled in Google Calendar' })
  await writeAgain(ctx, link.id)
}

async function applyTimes(
  ctx: WriteCtx,
  link: Link,
  appointment: AppointmentDetails,
  event: GoogleEvent,
): Promise<void> {
  const [startTime, endTime] = [event.start?.dateTime, event.end?.dateTime].map((time) =>
    time ? new Date(time) : null,
  )
  // A session has hours: whole days are put back.
  if (!startTime || !endTime || endTime <= startTime) return writeAgain(ctx, link.id)
  const isSame = (start: Date | null, end: Date | null) =>
    start?.getTime() === startTime.getTime() && end?.getTime() === endTime.getTime()
  if (isSame(link.startTime, link.endTime)) return
  const here = [new Date(appointment.startTime), new Date(appointment.endTime)] as const
  if (isSame(...here)) return updateLink(ctx, link.id, { startTime, endTime })
  const isChangedHere =
    link.changes > link.writtenChanges &&
    (here[0].getTime() !== link.startTime?.getTime() || here[1].getTime() !== link.endTime?.getTime())
  if (isChangedHere && (!event.updated || new Date(event.updated) <= new Date(appointment.updatedAt))) {
    await writeAgain(ctx, link.id)
    return log(ctx, appointment, {
      type: 'google_conflict',
      title: 'Moved here and in Google Calendar: the later change, here, counts',
    })
  }
  if (!(await tryChange(() => updateAppointment(ctx, appointment.id, { startTime, endTime })))) {
    await writeAgain(ctx, link.id)
    return log(ctx, appointment, { type: 'google_refused', title: 'A move in Google Calendar was not possible' })
  }
  const moved = await getAppointmentDetails(ctx, appointment.id)
  const isWritten = link.changes === link.writtenChanges
  await updateLink(ctx, link.id, {
    startTime,
    endTime,
    ...(isWritten ? { contentHash: hashContent(ctx, moved, link) } : {}),
  })
  const title = isChangedHere
    ? 'Moved here and in Google Calendar: the later change, in Google, counts'
    : 'Session moved in Google Calendar'
  await log(ctx, appointment, { type: isChangedHere ? 'google_conflict' : 'google_moved', title })
}

/** Whether a Meet link is the session's: always if the coach asked for it, otherwise if it has no other place. */
export const takesMeetLink = (appointment: AppointmentDetails, { wantsMeet }: Pick<Link, 'wantsMeet'>): boolean =>
  wantsMeet ? appointment.meetingUrl === null : lacksPlace(appointment)

/** Google may need a moment to make a link. */
export async function applyMeetLink(
  ctx: WriteCtx,
  link: Link,
  { hangoutLink }: Pick<GoogleEvent, 'hangoutLink'>,
): Promise<void> {
  if (!hangoutLink || !/^https:\/\//.test(hangoutLink)) return
  // A link that the coach removed stays away until they ask for it.
  if (link.meetUrl === hangoutLink && !link.wantsMeet) return
  const appointment = await findAppointment(ctx, link.appointmentId)
  if (!appointment || !takesMeetLink(appointment, link)) return
  await updateLink(ctx, link.id, { meetUrl: hangoutLink, wantsMeet: false })
  const change = { meetingUrl: hangoutLink }
  // Not what the coach made different in a series: a later change of its link counts for this session too.
  await tryChange(() => updateAppointment(ctx, appointment.id, change, undefined, { isOwn: false }))
  // Each session of a series gets a link of its own: they are announced together.
  await groupSeriesMessages(ctx, appointment.id)
}

/** False if the practice refuses the change. */
async function tryChange(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false
    throw error
  }
}

function log(
  ctx: WriteCtx,
  { title: name, clientId, clientName, prospectName }: AppointmentDetails,
  { type, title }: { type: string; title: string },
): Promise<void> {
  return logActivity(ctx, { type, title, description: `${clientName ?? prospectName}, ${name}`, clientId })
}
