import { isoTimestamp } from '#db/read-pool.ts'
import { listAppointmentNotes, type Conversion } from '#modules/crm/index.ts'
import { runHook } from '#modules/core/hooks.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { assertAttendeeChange } from '../hooks.ts'
import { sessionIdsOfClient } from '../joins.ts'
import { createNotesInteraction } from './session-notes.ts'

/** Moves the appointments of a converted prospect to the client, trashed ones too; their notes become interactions. */
export async function reassignToClient(ctx: WriteCtx, { prospectId, clientId }: Conversion): Promise<void> {
  const moved = await ctx.query<{ id: number; title: string; startTime: string; notes: string | null }>({
    name: 'scheduling.reassign-to-client',
    text: `with before as (select id, session_notes from appointment where coach_id = $1 and prospect_id = $2 for update)
      update appointment a
      set client_id = $3, prospect_id = null, session_notes = null, version = version + 1, updated_at = $4
      from before where a.coach_id = $1 and a.id = before.id and a.prospect_id = $2
      returning a.id, a.title, ${isoTimestamp('a.start_time')} as "startTime", before.session_notes as notes`,
    values: [ctx.coachId, prospectId, clientId, ctx.now()],
  })
  await ctx.query({
    name: 'scheduling.reassign-links-to-client',
    text: 'update booking_link set client_id = $3, prospect_id = null where coach_id = $1 and prospect_id = $2',
    values: [ctx.coachId, prospectId, clientId],
  })
  for (const { notes, ...session } of moved)
    if (notes !== null) await createNotesInteraction(ctx, clientId, { ...session, notes })
}

/**
 * Moves the appointments of a client back to the prospect, trashed ones too, with the notes that are its interactions.
 * Longer notes than an appointment can keep are cut; the client in the trash has them all. Throws conflict if a module
 * keeps something that is the client's.
 */
export async function reassignToProspect(ctx: WriteCtx, { prospectId, clientId }: Conversion): Promise<void> {
  const sessions = await ctx.query<{ id: number }>({
    name: 'scheduling.sessions-to-reassign',
    text: sessionIdsOfClient('$2'),
    values: [ctx.coachId, clientId],
  })
  await runHook(ctx, assertAttendeeChange, { appointmentIds: sessions.map(({ id }) => id), isSamePerson: true })
  const notes = await listAppointmentNotes(ctx, clientId)
  await ctx.query({
    name: 'scheduling.reassign-to-prospect',
    text: `update appointment a
      set client_id = null, prospect_id = $3, version = version + 1, updated_at = $4, session_notes = (
        select left(kept.notes, 50000) from unnest($5::bigint[], $6::text[]) as kept (appointment_id, notes)
        where kept.appointment_id = a.id)
      where a.coach_id = $1 and a.client_id = $2`,
    values: [
      ctx.coachId,
      clientId,
      prospectId,
      ctx.now(),
      notes.map(({ appointmentId }) => appointmentId),
      notes.map((one) => one.notes),
    ],
  })
  await ctx.query({
    name: 'scheduling.reassign-links-to-prospect',
    text: 'update booking_link set client_id = null, prospect_id = $3 where coach_id = $1 and client_id = $2',
    values: [ctx.coachId, clientId, prospectId],
  })
}
