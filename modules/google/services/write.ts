import { setGoogleEvent, type AppointmentDetails } from '#modules/scheduling/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { GoogleError } from '../vendor/errors.ts'
import { EventResponse, type GoogleEvent } from '../vendor/responses.ts'
import {
  applyEvent,
  applyMeetLink,
  findAppointment,
  getLink,
  listChangedLinks,
  takesMeetLink,
  updateLink,
  type Link,
} from './apply.ts'
import type { CalendarRow } from './calendars.ts'
import { createEventId, hashContent, toContent, toProperties } from './content.ts'
import { callCalendar } from './call.ts'

type Options = { calendars: CalendarRow[]; addsMeetLinks: boolean }

/**
 * Writes the appointments that have changed. Returns what Google refused, which doesn't keep the others waiting. Throws
 * GoogleError if Google is away.
 */
export async function writeChanges(ctx: Ctx, options: Options): Promise<GoogleError[]> {
  authorize(ctx, 'google:connection:write')
  const refused: GoogleError[] = []
  const batch = 50
  for (let links = await listChangedLinks(ctx, 0, batch); links.length; ) {
    for (const link of links) {
      try {
        await writeLink(ctx, link, options)
      } catch (error) {
        if (!(error instanceof GoogleError) || !['refused', 'conflict', 'not_found'].includes(error.kind)) throw error
        refused.push(error)
      }
    }
    links = await listChangedLinks(ctx, links.at(-1)!.id, batch)
  }
  return refused
}

/** How often an event that changes at the same time is tried in one go. */
const maxTries = 5

async function writeLink(ctx: Ctx, first: Link, options: Options): Promise<void> {
  let link: Link | null = first
  for (let tries = 0; link && tries < maxTries; tries++) {
    if (await writeOnce(ctx, link, options)) return
    link = await getLink(ctx, first.id)
  }
  if (link) throw new GoogleError('conflict', { code: 'changes_often' })
}

/** Brings the event to what the appointment is. False if the event changed in the meantime: read it, then try again. */
async function writeOnce(ctx: Ctx, link: Link, { calendars, addsMeetLinks }: Options): Promise<boolean> {
  const appointment = await findAppointment(ctx, link.appointmentId)
  const target = calendars.find(({ isTarget }) => isTarget)
  const current = calendars.find(({ id }) => id === link.calendarId)
  const belongsInCalendar = appointment !== null && appointment.status !== 'cancelled'
  if (link.eventId && current && (!belongsInCalendar || (target && target.id !== current.id))) {
    await deleteEvent(ctx, link, current)
    return false
  }
  const isPast = appointment !== null && new Date(appointment.endTime) <= ctx.now()
  if (!belongsInCalendar || !target || (!link.eventId && isPast)) return finish(ctx, link, appointment)

  const content = toContent(ctx, appointment, link)
  const contentHash = hashContent(ctx, appointment, link)
  const wantsMeet = (addsMeetLinks || link.wantsMeet) && takesMeetLink(appointment, link) && !isPast
  if (link.eventId && link.contentHash === contentHash && !wantsMeet) return finish(ctx, link, appointment)
  const id = link.eventId ?? createEventId(ctx, link)
  const body = {
    ...content,
    extendedProperties: toProperties(ctx, appointment.id),
    ...(wantsMeet
      ? {
          conferenceData: {
            createRequest: { requestId: `${id}-meet`, conferenceSolutionKey: { type: 'hangoutsMeet' } },
          },
        }
      : {}),
  }
  const shared = {
    calendarId: target.calendarId,
    sendUpdates: 'none',
    conferenceDataVersion: wantsMeet ? 1 : 0,
  } as const
  let event: GoogleEvent
  try {
    event = await callCalendar(ctx, async (api) => {
      const { data } = link.eventId
        ? await api.events.patch(
            { ...shared, eventId: id, requestBody: { ...body, ...toPatchedTimes(content) } },
            { headers: { 'If-Match': link.etag ?? '*' } },
          )
        : await api.events.insert({ ...shared, requestBody: { id, ...body } })
      return EventResponse.parse(data)
    })
  } catch (error) {
    if (!(error instanceof GoogleError)) throw error
    return recover(ctx, link, { error, id, target })
  }
  await ctx.write(async (tx) => {
    await updateLink(tx, link.id, {
      calendarId: target.id,
      eventId: event.id,
      etag: event.etag,
      eventUpdatedAt: event.updated ? new Date(event.updated) : null,
      startTime: new Date(appointment.startTime),
      endTime: new Date(appointment.endTime),
      contentHash,
      writtenChanges: link.changes,
      writtenAt: tx.now(),
    })
    await setGoogleEvent(tx, appointment.id, event.id)
    if (wantsMeet) await applyMeetLink(tx, link, event)
  })
  return true
}

/** Google merges a time with what the event has, such as the date of a whole day: null removes that. */
const toPatchedTimes = ({ start, end }: ReturnType<typeof toContent>) => ({
  start: { ...start, date: null },
  end: { ...end, date: null },
})

async function finish(ctx: Ctx, link: Link, appointment: AppointmentDetails | null): Promise<true> {
  await ctx.write(async (tx) => {
    await updateLink(tx, link.id, { writtenChanges: link.changes })
    if (!link.eventId && appointment?.googleEventId) await setGoogleEvent(tx, appointment.id, null)
  })
  return true
}

type Failure = { error: GoogleError; id: string; target: CalendarRow }

/** For an event that exists already, has changed or no longer exists: takes over what Google has. False: try again. */
async function recover(ctx: Ctx, link: Link, { error, id, target }: Failure): Promise<false> {
  const isTaken = error.status === 409 && !link.eventId
  const hasChanged = error.status === 412 || ((error.status === 404 || error.status === 410) && link.eventId)
  if (!isTaken && !hasChanged) throw error
  const event = await fetchEvent(ctx, target, id)
  if (!isTaken) {
    await ctx.write((tx) => applyEvent(tx, link, event))
    return false
  }
  // A deleted event keeps its id permanently.
  const isDeleted = event?.status === 'cancelled'
  await ctx.write((tx) =>
    updateLink(
      tx,
      link.id,
      isDeleted || !event
        ? { generation: link.generation + 1 }
        : { calendarId: target.id, eventId: event.id, etag: event.etag, contentHash: null },
    ),
  )
  return false
}

/** Null: there is no such event. Throws GoogleError if there is no such calendar. */
async function fetchEvent(ctx: Ctx, { calendarId }: CalendarRow, eventId: string): Promise<GoogleEvent | null> {
  try {
    return await callCalendar(ctx, async (api) =>
      EventResponse.parse((await api.events.get({ calendarId, eventId })).data),
    )
  } catch (error) {
    if (!(error instanceof GoogleError) || error.kind !== 'not_found') throw error
    await callCalendar(ctx, (api) => api.calendarList.get({ calendarId }))
    return null
  }
}

/** An event that no longer exists counts as deleted. */
async function deleteEvent(ctx: Ctx, link: Link, { calendarId }: CalendarRow): Promise<void> {
  try {
    await callCalendar(ctx, (api) => api.events.delete({ calendarId, eventId: link.eventId!, sendUpdates: 'none' }))
  } catch (error) {
    if (!(error instanceof GoogleError) || error.kind !== 'not_found') throw error
  }
  await ctx.write(async (tx) => {
    await updateLink(tx, link.id, {
      calendarId: null,
      eventId: null,
      etag: null,
      contentHash: null,
      generation: link.generation + 1,
    })
    await setGoogleEvent(tx, link.appointmentId, null)
  })
}
