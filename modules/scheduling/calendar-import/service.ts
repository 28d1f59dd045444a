import { AppError } from '#app/lib/errors.ts'
import { insertRows } from '#db/insert-rows.ts'
import { assertNotReadOnly } from '#modules/crm/index.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { appointmentsChanged } from '../events.ts'
import { lockAttendee } from '../services/appointments.ts'
import { lockBookings } from '../services/bookings.ts'
import { isKnownSql, planImport, type ImportContent, type ImportSummary, type PlannedEvent } from './plan.ts'
import { importNotFound } from './queries.ts'
import { readCalendar } from './read-calendar.ts'

/** Rows of one insert. */
const chunkSize = 500

/**
 * Reads a calendar file and stores what becomes of its events, for the preview. Replaces a preview that was not
 * imported. Throws validation_failed for a file that can't be read.
 */
export async function prepareImport(
  ctx: Ctx,
  { name, content }: { name: string; content: Uint8Array },
): Promise<number> {
  authorize(ctx, 'scheduling:appointment:write')
  await assertStorage(ctx)
  const { timezone } = ctx.account
  const plan = await ctx.platform.tenantSlots.run(ctx.coachId, 'preview', async () =>
    planImport(ctx, await readCalendar(content, { timezone, now: ctx.now() })),
  )
  return ctx.write(async (tx) => {
    await tx.query({
      name: 'scheduling.drop-preview',
      text: 'delete from calendar_import where coach_id = $1 and finished_at is null',
      values: [ctx.coachId],
    })
    return insertRow(tx, {
      table: 'calendar_import',
      name: 'scheduling.add-import',
      row: {
        fileName: toStoredFileName(name),
        summary: JSON.stringify(plan.summary),
        content: JSON.stringify(plan.content),
        createdAt: ctx.now(),
      },
    })
  })
}

function toStoredFileName(name: string): string {
  const cleaned = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}/\\]/gu, ' ')
    .trim()
  return [...cleaned].slice(0, 255).join('') || 'calendar.ics'
}

/**
 * Adds the events of a preview: those of clients as appointments, the others as busy times. Events that were imported
 * in the meantime are not added. Throws not_found, and conflict the second time.
 */
export async function runImport(ctx: WriteCtx, id: number): Promise<{ appointments: number; busyTimes: number }> {
  authorize(ctx, 'scheduling:appointment:write')
  await assertStorage(ctx)
  const { content, summary } = await lockImport(ctx, id)
  if (!content) throw new AppError('conflict', 'This file was imported already.')
  const known = await listKnown(ctx, content)
  const events = content.filter(({ hash }) => !known.has(hash))
  await forgetRemoved(ctx, events)
  const clients = await lockClients(ctx, events)
  const sessions = events.filter(({ clientId }) => clientId !== null && clients.has(clientId))
  // Without its client in the meantime, a future event is still a busy time.
  const others = events.filter((event) => !sessions.includes(event) && new Date(event.end) > ctx.now())
  // Lock order: attendee, schedule (decision 0051).
  await lockBookings(ctx)
  await addAppointments(ctx, id, sessions)
  await addBusyTimes(ctx, id, others)
  const counts = { appointments: sessions.length, busyTimes: others.length }
  await ctx.query({
    name: 'scheduling.finish-import',
    text: `update calendar_import set content = null, finished_at = $3, summary = $4::jsonb
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, ctx.now(), JSON.stringify({ ...summary, ...counts })],
  })
  return counts
}

type LockedImport = { content: ImportContent | null; summary: ImportSummary; isFinished: boolean }

async function lockImport(ctx: WriteCtx, id: number): Promise<LockedImport> {
  const [found] = await ctx.query<LockedImport>({
    name: 'scheduling.lock-import',
    text: `select content, summary, finished_at is not null as "isFinished" from calendar_import
      where coach_id = $1 and id = $2 for update`,
    values: [ctx.coachId, id],
  })
  if (!found) throw importNotFound()
  return found
}

async function listKnown(ctx: WriteCtx, content: ImportContent): Promise<Set<string>> {
  const rows = await ctx.query<{ hash: string }>({
    name: 'scheduling.known-events',
    text: `select encode(e.key_hash, 'hex') as hash from imported_event e
      where e.coach_id = $1 and ${isKnownSql} and e.key_hash in (
        select decode(hash, 'hex') from unnest($2::text[]) as hash)`,
    values: [ctx.coachId, content.map(({ hash }) => hash)],
  })
  return new Set(rows.map(({ hash }) => hash))
}

/** Events of an import that was undone, whose sessions are in the trash, are added again. */
async function forgetRemoved(ctx: WriteCtx, events: PlannedEvent[]): Promise<void> {
  await ctx.query({
    name: 'scheduling.forget-removed',
    text: `delete from imported_event e where e.coach_id = $1 and not ${isKnownSql} and e.key_hash in (
        select decode(hash, 'hex') from unnest($2::text[]) as hash)`,
    values: [ctx.coachId, events.map(({ hash }) => hash)],
  })
}

/** The clients that still exist and can be changed. */
async function lockClients(ctx: WriteCtx, events: PlannedEvent[]): Promise<Set<number>> {
  const ids = [...new Set(events.flatMap(({ clientId }) => clientId ?? []))].sort((a, b) => a - b)
  const usable = new Set<number>()
  for (const clientId of ids) {
    try {
      await lockAttendee(ctx, { clientId })
      await assertNotReadOnly(ctx, clientId)
      usable.add(clientId)
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'plan_limit')) throw error
    }
  }
  return usable
}

async function addAppointments(ctx: WriteCtx, importId: number, events: PlannedEvent[]): Promise<void> {
  const now = ctx.now()
  for (const chunk of chunks(events)) {
    const rows = chunk.map(({ clientId, title, description, location, meetingUrl, ...event }) => ({
      coach_id: ctx.coachId,
      client_id: clientId,
      title,
      description,
      location: location === meetingUrl ? null : location,
      meeting_url: meetingUrl,
      start_time: event.start,
      end_time: event.end,
      timezone: event.timezone ?? ctx.account.timezone,
      status: event.isTentative ? 'scheduled' : 'confirmed',
      uid_names_host: false,
      created_at: now,
      updated_at: now,
    }))
    const added = await ctx.query<{ id: number }>(insertRows('appointment', rows, { returning: 'id' }))
    const remembered = chunk.map(({ hash }, index) => ({
      coach_id: ctx.coachId,
      calendar_import_id: importId,
      key_hash: Buffer.from(hash, 'hex'),
      appointment_id: added[index]!.id,
    }))
    await ctx.query(insertRows('imported_event', remembered))
    await publish(ctx, appointmentsChanged, { appointmentIds: added.map(({ id }) => id) })
  }
}

async function addBusyTimes(ctx: WriteCtx, importId: number, events: PlannedEvent[]): Promise<void> {
  for (const chunk of chunks(events)) {
    const rows = chunk.map(({ hash, title, start, end, isAllDay }) => ({
      coach_id: ctx.coachId,
      calendar_import_id: importId,
      key_hash: Buffer.from(hash, 'hex'),
      title,
      start_time: start,
      end_time: end,
      is_all_day: isAllDay,
    }))
    const added = await ctx.query<{ id: number }>(insertRows('imported_event', rows, { returning: 'id' }))
    await blockTimes(
      ctx,
      chunk.map(({ start, end }, index) => ({ id: added[index]!.id, start, end })),
    )
  }
}

/** Keeps visitors from booking these times; they may overlap anything that is there. */
async function blockTimes(ctx: WriteCtx, events: { id: number; start: string; end: string }[]): Promise<void> {
  const rows = events.map(({ id, start, end }) => ({
    coach_id: ctx.coachId,
    imported_event_id: id,
    start_time: start,
    end_time: end,
    during: `[${start},${end})`,
    // No lane yet: its own is that of its id.
    lane: 'empty',
  }))
  await ctx.query(insertRows('busy_time', rows))
  await ctx.query({
    name: 'scheduling.keep-imported-times',
    text: `update busy_time set lane = int8range(-id, -id, '[]')
      where coach_id = $1 and imported_event_id is not null and isempty(lane)`,
    values: [ctx.coachId],
  })
}

/**
 * Removes what an import has added: its busy times, and its appointments, which go to the trash unless they were
 * changed since. Returns how many stay. Throws not_found.
 */
export async function undoImport(ctx: WriteCtx, id: number): Promise<{ kept: number }> {
  authorize(ctx, 'scheduling:appointment:write')
  const { isFinished } = await lockImport(ctx, id)
  if (!isFinished) throw importNotFound()
  const removed = await ctx.query<{ id: number }>({
    name: 'scheduling.undo-import',
    text: `update appointment set deleted_at = $3 where coach_id = $1 and deleted_at is null and version = 1 and id in (
        select appointment_id from imported_event where coach_id = $1 and calendar_import_id = $2)
      returning id`,
    values: [ctx.coachId, id, ctx.now()],
  })
  const remembered = await ctx.query<{ isKept: boolean }>({
    name: 'scheduling.keep-imported',
    text: `update imported_event e set calendar_import_id = null from appointment a
      where e.coach_id = $1 and e.calendar_import_id = $2 and a.coach_id = $1 and a.id = e.appointment_id
      returning a.deleted_at is null as "isKept"`,
    values: [ctx.coachId, id],
  })
  await deleteImport(ctx, id)
  for (const chunk of chunks(removed))
    await publish(ctx, appointmentsChanged, { appointmentIds: chunk.map((one) => one.id) })
  return { kept: remembered.filter(({ isKept }) => isKept).length }
}

/** Throws not_found, also for one that is finished. */
export async function cancelImport(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'scheduling:appointment:write')
  const { isFinished } = await lockImport(ctx, id)
  if (isFinished) throw importNotFound()
  await deleteImport(ctx, id)
}

async function deleteImport(ctx: WriteCtx, id: number): Promise<void> {
  await ctx.query({
    name: 'scheduling.delete-import',
    text: 'delete from calendar_import where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
}

/** The coach can be booked at an imported time again. Another import of the event doesn't change that. */
export async function removeImportedTime(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'scheduling:appointment:write')
  const [removed] = await ctx.query({
    name: 'scheduling.remove-imported-time',
    text: 'delete from busy_time where coach_id = $1 and imported_event_id = $2 returning id',
    values: [ctx.coachId, id],
  })
  if (!removed) throw new AppError('not_found', 'Busy time not found')
}

/** Reverts `removeImportedTime`. Throws not_found. */
export async function restoreImportedTime(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'scheduling:appointment:write')
  await lockBookings(ctx)
  const [event] = await ctx.query<{ id: number; start: Date; end: Date; isBlocked: boolean }>({
    name: 'scheduling.removed-time',
    text: `select e.id, e.start_time as start, e.end_time as "end",
        exists (select 1 from busy_time b where b.coach_id = $1 and b.imported_event_id = e.id) as "isBlocked"
      from imported_event e where e.coach_id = $1 and e.id = $2 and e.title is not null for update`,
    values: [ctx.coachId, id],
  })
  if (!event) throw new AppError('not_found', 'Busy time not found')
  if (event.isBlocked) return
  const [start, end] = [new Date(event.start).toISOString(), new Date(event.end).toISOString()]
  await blockTimes(ctx, [{ id, start, end }])
}

const chunks = <T>(items: T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, index) =>
    items.slice(index * chunkSize, (index + 1) * chunkSize),
  )
