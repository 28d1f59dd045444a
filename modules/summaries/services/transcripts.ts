import { AppError } from '#app/lib/errors.ts'
import { assertNotReadOnly } from '#modules/crm/index.ts'
import { lockAppointment } from '#modules/scheduling/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { stopSearch } from '../detection/erase.ts'
import { readTranscript } from '../extract/run-extract.ts'
import type { TranscriptSource } from '../fields.ts'
import { getTranscript } from '../queries/transcripts.ts'
import { transcript, type TranscriptRecord } from '../records.ts'
import type { TranscriptLine } from '../types.ts'
import { requireConsent } from './consents.ts'
import { startSummary } from './generation.ts'
import { requirePlan } from './plan.ts'

type NewSource = { source: TranscriptSource; fileName: string | null; content: string | Uint8Array; field: string }

/**
 * Adds the transcript of a session that has begun. Of a completed session a summary is made. Throws not_found,
 * plan_required, validation_failed at `field`, and conflict before the session, without consent, or if there is one already.
 */
export async function addTranscript(
  ctx: WriteCtx,
  appointmentId: number,
  { content, field, ...source }: NewSource,
): Promise<TranscriptRecord> {
  authorize(ctx, 'summaries:transcript:write')
  requirePlan(ctx)
  await assertStorage(ctx)
  const appointment = await lockAppointment(ctx, appointmentId)
  const client = appointment.client ?? null
  if (appointment.startTime > ctx.now()) throw new AppError('conflict', 'This session has not started yet.')
  if (client) await assertNotReadOnly(ctx, client.id)
  await requireConsent(ctx, { id: appointmentId, clientId: client?.id ?? null })
  const { lines } = await readTranscript(content, { field })
  const id = await insertTranscript(ctx, appointmentId, source, lines)
  await stopSearch(ctx, appointmentId)
  if (appointment.completedAt) await startSummary(ctx, appointmentId)
  return getTranscript(ctx, id)
}

/** Throws conflict if the session has a transcript already. */
export async function insertTranscript(
  ctx: WriteCtx,
  appointmentId: number,
  { source, fileName }: Omit<NewSource, 'content' | 'field'>,
  lines: TranscriptLine[],
): Promise<number> {
  const [added] = await ctx.query<{ id: number }>({
    name: 'summaries.add-transcript',
    text: `insert into session_transcript (coach_id, appointment_id, source, file_name, lines, line_count, duration_ms,
        search_text, search_words, created_at, updated_at)
      values ($1, $2, $3, $4, $5::jsonb, $6, $7, content_key($8), (select coalesce(string_agg(distinct word, ' '), '')
        from regexp_split_to_table(content_key($8), '\\s+') word), $9, $9)
      on conflict do nothing returning id`,
    values: [
      ctx.coachId,
      appointmentId,
      source,
      fileName,
      JSON.stringify(lines),
      lines.length,
      lines.reduce<number | null>((end, { endMs }) => (endMs === null ? end : Math.max(end ?? 0, endMs)), null),
      lines.map(({ text }) => text).join('\n'),
      ctx.now(),
    ],
  })
  if (!added)
    throw new AppError('conflict', 'This session has a transcript already. Delete it first.', { subject: 'transcript' })
  return added.id
}

/** Moves a transcript to the trash; the summary stays. Throws not_found, also the second time. */
export async function deleteTranscript(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'summaries:transcript:write')
  await getTranscript(ctx, id)
  const deleted = await ctx.query({
    name: 'summaries.delete-transcript',
    text: `update session_transcript set deleted_at = $3, processing_since = null
      where coach_id = $1 and id = $2 and deleted_at is null returning id`,
    values: [ctx.coachId, id, ctx.now()],
  })
  if (!deleted.length) throw transcript.notFound()
}

/** Idempotent. Throws not_found, and conflict if the session has another one by now. */
export async function restoreTranscript(ctx: WriteCtx, id: number): Promise<TranscriptRecord> {
  authorize(ctx, 'summaries:transcript:write')
  await ctx.query({
    name: 'summaries.restore-transcript',
    text: `update session_transcript t set deleted_at = null where coach_id = $1 and id = $2 and deleted_at is not null
      and not exists (select 1 from session_transcript other
        where other.coach_id = $1 and other.appointment_id = t.appointment_id and other.deleted_at is null)`,
    values: [ctx.coachId, id],
  })
  const [found] = await ctx.query<{ isDeleted: boolean }>({
    name: 'summaries.is-transcript-deleted',
    text: `select deleted_at is not null as "isDeleted" from session_transcript where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id],
  })
  if (found?.isDeleted) throw new AppError('conflict', 'This session has another transcript. Delete that one first.')
  return getTranscript(ctx, id)
}
