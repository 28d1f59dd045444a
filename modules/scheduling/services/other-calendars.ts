import { insertRows } from '#db/insert-rows.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'

/** A time of an event in another calendar; `eventId` as the source knows it. */
export type OtherTime = { eventId: number; start: Date; end: Date }

/** Rows of one statement: Postgres takes at most 65,535 parameters. */
const maxRows = 5000

/**
 * Replaces the busy times of events in another calendar: visitors can't book them, appointments may overlap them. An
 * event without times is free.
 */
export async function replaceOtherTimes(
  ctx: WriteCtx,
  source: string,
  { eventIds, times }: { eventIds: number[]; times: OtherTime[] },
): Promise<void> {
  authorize(ctx, 'scheduling:availability:write')
  await ctx.query({
    name: 'scheduling.delete-other-times',
    text: 'delete from busy_time where coach_id = $1 and source = $2 and source_id = any($3::bigint[])',
    values: [ctx.coachId, source, eventIds],
  })
  for (let from = 0; from < times.length; from += maxRows) {
    const part = times.slice(from, from + maxRows)
    const ids = await ctx.query<{ id: number }>({
      name: 'scheduling.next-busy-times',
      text: `select nextval('busy_time_id_seq') as id from generate_series(1, $1)`,
      values: [part.length],
    })
    await ctx.query(
      insertRows(
        'busy_time',
        part.map(({ eventId, start, end }, index) => {
          const id = Number(ids[index]!.id)
          return {
            coach_id: ctx.coachId,
            id,
            source,
            source_id: eventId,
            start_time: start,
            end_time: end,
            during: `[${start.toISOString()},${end.toISOString()})`,
            // As holds: a lane of its own.
            lane: `[${-id},${-id}]`,
          }
        }),
      ),
    )
  }
}

/** Notes the appointment's event in the coach's Google calendar; null for none. Not a change of the appointment. */
export async function setGoogleEvent(ctx: WriteCtx, appointmentId: number, eventId: string | null): Promise<void> {
  authorize(ctx, 'scheduling:appointment:write')
  await ctx.query({
    name: 'scheduling.set-google-event',
    text: 'update appointment set google_event_id = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, appointmentId, eventId],
  })
}

/** As `setGoogleEvent` with null, for all appointments. */
export async function clearGoogleEvents(ctx: WriteCtx): Promise<void> {
  authorize(ctx, 'scheduling:appointment:write')
  await ctx.query({
    name: 'scheduling.clear-google-events',
    text: 'update appointment set google_event_id = null where coach_id = $1 and google_event_id is not null',
    values: [ctx.coachId],
  })
}
