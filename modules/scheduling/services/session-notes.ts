import { AppError } from '#app/lib/errors.ts'
import { createInteraction, NewInteraction } from '#modules/crm/index.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { Completion } from '../forms.ts'
import type { AppointmentRow } from '../schema.ts'

export type SessionNotes = { id: number; title: string; startTime: string; notes: string }
export const toSessionNotes = ({ id, title, startTime }: AppointmentRow, notes: string): SessionNotes => ({
  id,
  title,
  startTime: startTime.toISOString(),
  notes,
})

/** The notes kept so far, followed by the new ones. */
export function joinNotes(before: string | null | undefined, notes: string | null): string | null {
  if (before == null || notes === null) return notes ?? before ?? null
  const both = Completion.safeParse({ notes: `${before}\n${notes}` })
  if (!both.success)
    throw new AppError('validation_failed', `Together with the earlier notes: ${both.error.issues[0]!.message}`, {
      field: 'notes',
    })
  return both.data.notes
}

/** Adds the notes to the timeline of the client. */
export async function createNotesInteraction(ctx: WriteCtx, clientId: number, session: SessionNotes): Promise<void> {
  const input = NewInteraction.parse({
    name: session.title,
    content: session.notes,
    interactionDate: session.startTime,
  })
  await createInteraction(ctx, clientId, input, { appointmentId: session.id })
}
