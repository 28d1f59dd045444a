import { isoTimestamp } from '#db/read-pool.ts'
import { formatDateTime } from '#app/lib/time.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { summaryMethods } from '../fields.ts'
import { includesSummaries } from '../services/plan.ts'

/** How a service of the platform works for the coach: a sentence, and the session with the last failure. */
export type ServiceHealth = {
  name: string
  tone: 'success' | 'warning' | 'neutral'
  label: string
  text: string
  failed: { text: string; to: string } | null
}

type Row = {
  transcribedAt: string | null
  recordingFailure: string | null
  failedRecording: number | null
  summarizedAt: string | null
  method: keyof typeof summaryMethods | null
  summaryFailure: string | null
  failedTranscript: number | null
}

/** How transcription and summaries work; empty without the plan. */
export async function listServiceHealth(ctx: Ctx): Promise<ServiceHealth[]> {
  authorize(ctx, 'summaries:consent:read')
  if (!includesSummaries(ctx)) return []
  const [row] = await ctx.query<Row>({
    name: 'summaries.health',
    text: `select (
        select ${isoTimestamp('max(t.created_at)')} from session_transcript t where t.coach_id = $1 and t.source = 'revai'
      ) as "transcribedAt", r.failure as "recordingFailure", r.appointment_id as "failedRecording",
        ${isoTimestamp('s.created_at')} as "summarizedAt", s.method, f.failure as "summaryFailure",
        f.appointment_id as "failedTranscript"
      from (select 1) as one
      left join lateral (
        select r.failure, r.appointment_id from session_recording r
        where r.coach_id = $1 and r.status = 'failed' order by r.updated_at desc, r.id desc limit 1) r on true
      left join lateral (
        select s.created_at, s.method from session_summary s where s.coach_id = $1 order by s.created_at desc, s.id desc limit 1
      ) s on true
      left join lateral (
        select t.failure, t.appointment_id from session_transcript t
        where t.coach_id = $1 and t.deleted_at is null and t.failure is not null order by t.id desc limit 1) f on true`,
    values: [ctx.coachId],
  })
  return [describeTranscription(ctx, row!), describeSummaries(ctx, row!)]
}

function describeTranscription(ctx: Ctx, { transcribedAt, recordingFailure, failedRecording }: Row): ServiceHealth {
  const name = 'Transcription by Rev.ai'
  const last = toLast(ctx, 'Last transcript', transcribedAt)
  if (!ctx.platform.config.revai)
    return {
      name,
      tone: 'neutral',
      label: 'Not set up',
      text: 'This platform has not set up Rev.ai, so recordings can’t be transcribed. You can add transcripts to your sessions.',
      failed: null,
    }
  return {
    name,
    ...toState(failedRecording !== null),
    text: last ?? 'No recording was transcribed yet.',
    failed: toFailed(recordingFailure, failedRecording),
  }
}

function describeSummaries(ctx: Ctx, { summarizedAt, method, summaryFailure, failedTranscript }: Row): ServiceHealth {
  const hasModel = ctx.platform.config.summarizer !== undefined
  const last = toLast(ctx, 'Last summary', summarizedAt) ?? 'No summary was made yet.'
  const missedModel = hasModel && method === 'extract'
  const how = !hasModel
    ? 'This platform has not set up a model: summaries consist of sentences of the transcript.'
    : missedModel
      ? 'The model could not be used for it, so it consists of sentences of the transcript. There is nothing to do: the next one is tried with the model.'
      : null
  return {
    name: 'Summaries',
    ...(missedModel && failedTranscript === null
      ? ({ tone: 'neutral', label: 'Without the model' } as const)
      : toState(failedTranscript !== null)),
    text: [last, how].filter(Boolean).join(' '),
    failed: toFailed(summaryFailure, failedTranscript),
  }
}

const toState = (needsAttention: boolean) =>
  needsAttention
    ? ({ tone: 'warning', label: 'Needs attention' } as const)
    : ({ tone: 'success', label: 'Available' } as const)

const toLast = ({ account }: Ctx, label: string, at: string | null): string | null =>
  at && `${label}: ${formatDateTime(at, account)}.`

const toFailed = (text: string | null, appointmentId: number | null): ServiceHealth['failed'] =>
  text !== null && appointmentId !== null ? { text, to: `/session-summaries/${appointmentId}` } : null
