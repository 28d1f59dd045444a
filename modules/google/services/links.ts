import { insertRows } from '#db/insert-rows.ts'
import { clearGoogleEvents, listAppointments } from '#modules/scheduling/index.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { isConnected } from '../queries/connection.ts'
import { requestWrite } from './queue.ts'

/** Notes that appointments have changed, if the coach is connected: a job writes it to Google. */
export async function markChanged(ctx: WriteCtx, appointmentIds: number[]): Promise<void> {
  if (!(await isConnected(ctx))) return
  await insertChanges(ctx, appointmentIds)
  await requestWrite(ctx)
}

/** Notes that any upcoming appointment may have changed, and those with an event. */
export async function markAllChanged(ctx: WriteCtx): Promise<void> {
  if (!(await isConnected(ctx))) return
  const linked = await ctx.query<{ id: number }>({
    name: 'google.linked-appointments',
    text: `select appointment_id as id from google_link where coach_id = $1 and event_id is not null and end_time > $2`,
    values: [ctx.coachId, ctx.now()],
  })
  const upcoming = await listAppointments(ctx, { from: ctx.now() })
  await insertChanges(ctx, [...new Set([...linked, ...upcoming].map(({ id }) => id))])
  await requestWrite(ctx)
}

/** Rows of one statement: Postgres takes at most 65,535 parameters. */
const maxRows = 5000

async function insertChanges(ctx: WriteCtx, appointmentIds: number[]): Promise<void> {
  for (let from = 0; from < appointmentIds.length; from += maxRows) {
    const ids = appointmentIds.slice(from, from + maxRows)
    const rows = ids.map((id) => ({ coach_id: ctx.coachId, appointment_id: id, changes: 1 }))
    const { text, values } = insertRows('google_link', rows)
    await ctx.query({
      text: `${text} on conflict (coach_id, appointment_id) do update set changes = google_link.changes + 1`,
      values: values ?? [],
    })
  }
}

/** Forgets the events in a calendar that no longer exists; their appointments get new ones. */
export async function unlinkCalendar(ctx: WriteCtx, calendarId: number): Promise<void> {
  await ctx.query({
    name: 'google.unlink-calendar',
    text: `update google_link set google_calendar_id = null, event_id = null, etag = null, content_hash = null,
        changes = changes + 1
      where coach_id = $1 and google_calendar_id = $2`,
    values: [ctx.coachId, calendarId],
  })
}

/** Forgets all events; the appointments stay as they are. */
export async function deleteLinks(ctx: WriteCtx): Promise<void> {
  await ctx.query({
    name: 'google.delete-links',
    text: 'delete from google_link where coach_id = $1',
    values: [ctx.coachId],
  })
  await clearGoogleEvents(ctx)
}
