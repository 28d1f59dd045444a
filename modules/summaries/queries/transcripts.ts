import { authorize, type Ctx } from '#tenants/context.ts'
import { isSessionVisible, joinSession } from '#modules/scheduling/index.ts'
import { transcript, type TranscriptRecord } from '../records.ts'
import type { TranscriptLine } from '../types.ts'

const visibleSql = `from session_transcript r ${joinSession('r')}
  where r.coach_id = $1 and r.deleted_at is null and ${isSessionVisible}`

/** The transcript of a session, without its lines; null without one. */
export async function findTranscript(ctx: Ctx, appointmentId: number): Promise<TranscriptRecord | null> {
  authorize(ctx, 'summaries:transcript:read')
  const [found] = await ctx.query<TranscriptRecord>({
    name: 'summaries.transcript-of-session',
    text: `select ${transcript.select} ${visibleSql} and r.appointment_id = $2`,
    values: [ctx.coachId, appointmentId],
  })
  return found ?? null
}

/** Throws not_found, also while the session is in the trash. */
export async function getTranscript(ctx: Ctx, id: number): Promise<TranscriptRecord> {
  authorize(ctx, 'summaries:transcript:read')
  const [found] = await ctx.query<TranscriptRecord>({
    name: 'summaries.transcript',
    text: `select ${transcript.select} ${visibleSql} and r.id = $2`,
    values: [ctx.coachId, id],
  })
  if (!found) throw transcript.notFound()
  return found
}

export async function getLines(ctx: Ctx, id: number): Promise<TranscriptLine[]> {
  authorize(ctx, 'summaries:transcript:read')
  const [found] = await ctx.query<{ lines: TranscriptLine[] }>({
    name: 'summaries.transcript-lines',
    text: 'select lines from session_transcript where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  if (!found) throw transcript.notFound()
  return found.lines
}

/** Which of these sessions have a transcript, and whether a summary is being made of it. */
export async function listTranscriptStates(
  ctx: Ctx,
  appointmentIds: number[],
): Promise<{ appointmentId: number; isProcessing: boolean }[]> {
  authorize(ctx, 'summaries:transcript:read')
  return ctx.query({
    name: 'summaries.transcript-states',
    text: `select appointment_id as "appointmentId", processing_since is not null as "isProcessing"
      from session_transcript where coach_id = $1 and appointment_id = any($2::bigint[]) and deleted_at is null`,
    values: [ctx.coachId, appointmentIds],
  })
}

/** How many summaries are being made now. */
export async function countProcessing(ctx: Ctx): Promise<number> {
  authorize(ctx, 'summaries:transcript:read')
  const [row] = await ctx.query<{ count: number }>({
    name: 'summaries.processing',
    text: `select count(*) ${visibleSql} and r.processing_since is not null`,
    values: [ctx.coachId],
  })
  return row!.count
}

/** The id of the transcript of a session that was moved to the trash last; of the current one otherwise. Throws not_found. */
export async function findTrashedTranscript(ctx: Ctx, appointmentId: number): Promise<number> {
  authorize(ctx, 'summaries:transcript:read')
  const [found] = await ctx.query<{ id: number }>({
    name: 'summaries.trashed-transcript',
    text: `select id from session_transcript where coach_id = $1 and appointment_id = $2
      order by deleted_at desc nulls last, id desc limit 1`,
    values: [ctx.coachId, appointmentId],
  })
  if (!found) throw transcript.notFound()
  return found.id
}
