import { createHash } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import { localDate } from '#app/lib/time.ts'
import { publish } from '#modules/core/events.ts'
import { getAppointment, setRecordingState, type AppointmentRecord } from '#modules/scheduling/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { canSearch, searchAgain } from '../detection/search.ts'
import { summaryGenerated } from '../events.ts'
import { findSummary } from '../queries/summaries.ts'
import { findTranscript, getLines } from '../queries/transcripts.ts'
import type { MadeContent, SessionContext, SummaryContent, TranscriptLine } from '../types.ts'
import { findRecording } from '../recordings/queries.ts'
import { retryRecording } from '../recordings/recordings.ts'
import { formatContent } from './content.ts'
import { makeContent } from './make-content.ts'
import { includesSummaries, requirePlan } from './plan.ts'

export const generateQueue = 'summaries.generate'

/**
 * Starts to make the summary of a completed session; one that has a summary, or gets one now, stays as it is. Without
 * words its recording is looked for. Throws not_found, plan_required, conflict unless the session is completed, and
 * unavailable where nothing can be looked for.
 */
export async function requestSummary(ctx: WriteCtx, appointmentId: number): Promise<AppointmentRecord> {
  authorize(ctx, 'summaries:summary:write')
  const appointment = await getAppointment(ctx, appointmentId)
  requirePlan(ctx)
  if (!appointment.sessionCompleted) throw new AppError('conflict', 'This session is not completed.')
  if (await findSummary(ctx, appointmentId)) return appointment
  const transcript = await findTranscript(ctx, appointmentId)
  if (transcript) {
    if (!transcript.isProcessing) await startSummary(ctx, appointmentId)
    return appointment
  }
  if (await findRecording(ctx, appointmentId)) {
    await retryRecording(ctx, appointmentId)
    return appointment
  }
  if (!(await canSearch(ctx, appointment))) throw new AppError('unavailable', notConfigured, { subject: 'transcript' })
  await searchAgain(ctx, appointmentId)
  return getAppointment(ctx, appointmentId)
}

const notConfigured = 'Rev.ai not configured'

/**
 * part-2 §4: the label of a completed session without a summary and without a job. None where Rev.ai is configured,
 * because it would be untrue.
 */
export function getSetupNote(
  ctx: Ctx,
  {
    sessionCompleted,
    summaryGenerated,
    isProcessing,
  }: Record<'sessionCompleted' | 'summaryGenerated' | 'isProcessing', boolean>,
): string | null {
  return sessionCompleted && !summaryGenerated && !isProcessing && !ctx.platform.config.revai ? notConfigured : null
}

/** Marks the session's transcript and enqueues the job. */
export async function startSummary(ctx: WriteCtx, appointmentId: number): Promise<void> {
  await ctx.query({
    name: 'summaries.start',
    text: `update session_transcript set processing_since = $3, failure = null
      where coach_id = $1 and appointment_id = $2 and deleted_at is null`,
    values: [ctx.coachId, appointmentId, ctx.now()],
  })
  await ctx.enqueue(generateQueue, { coachId: ctx.coachId, appointmentId }, { group: { id: String(ctx.coachId) } })
}

/**
 * Starts the summary of a session that was completed after its transcript was added. The job may run late: a summary
 * that the coach has deleted since isn't made again.
 */
export async function summarizeCompleted(ctx: WriteCtx, { appointmentId }: { appointmentId: number }): Promise<void> {
  if (!includesSummaries(ctx)) return
  const transcript = await findTranscript(ctx, appointmentId)
  if (!transcript || transcript.isProcessing) return
  const made = await ctx.query({
    name: 'summaries.was-made',
    text: 'select 1 from session_summary where coach_id = $1 and appointment_id = $2 limit 1',
    values: [ctx.coachId, appointmentId],
  })
  if (!made.length) await startSummary(ctx, appointmentId)
}

/** Makes the summary that was asked for, unless its transcript was deleted in the meantime. */
export async function makeSummary(
  platform: Platform,
  { coachId, appointmentId }: { coachId: number; appointmentId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `summary-${appointmentId}`)
  if (ctx) await summarizeSession(ctx, appointmentId)
}

const failedMessage = 'The summary could not be made. Try again.'
/** Longer than a job and its next tries should take. */
const giveUpMs = 60 * 60_000

/** Lets a summary whose job was given up be asked for again. */
export async function releaseTranscripts(platform: Platform): Promise<void> {
  const now = platform.now()
  await forEachCoach(platform, async ({ id: coachId }) => {
    await withTenant(platform, coachId, (tx) =>
      tx.query({
        name: 'summaries.release-transcripts',
        text: `update session_transcript set processing_since = null, failure = $3
          where coach_id = $1 and processing_since < $2`,
        values: [coachId, new Date(now.getTime() - giveUpMs), failedMessage],
      }),
    )
  })
}

/** As the job does it. */
export async function summarizeSession(ctx: Ctx, appointmentId: number): Promise<void> {
  const transcript = await findTranscript(ctx, appointmentId)
  if (!transcript?.isProcessing) return
  const lines = await getLines(ctx, transcript.id)
  const appointment = await getAppointment(ctx, appointmentId)
  const made = await makeContent(ctx, lines, toSessionContext(ctx, appointment))
  await ctx.write((tx) => saveSummary(tx, { appointmentId, transcriptId: transcript.id, lines, made }))
}

const toSessionContext = (
  { account }: Ctx,
  { startTime, clientName, prospectName }: AppointmentRecord,
): SessionContext => ({
  date: localDate(startTime, account.timezone),
  coachName: `${account.firstName} ${account.lastName}`.trim(),
  clientName: clientName ?? prospectName ?? '',
})

type Save = { appointmentId: number; transcriptId: number; lines: TranscriptLine[]; made: MadeContent | null }

async function saveSummary(ctx: WriteCtx, { appointmentId, transcriptId, lines, made }: Save): Promise<void> {
  const content = made?.content
  const failure = !content
    ? failedMessage
    : isEmpty(content)
      ? 'Nothing in this transcript could be chosen for a summary.'
      : null
  // Locks the transcript. It is deleted if the consent was withdrawn in the meantime.
  const [kept] = await ctx.query({
    name: 'summaries.finish',
    text: `update session_transcript set processing_since = null, failure = $3
      where coach_id = $1 and id = $2 and deleted_at is null and processing_since is not null returning id`,
    values: [ctx.coachId, transcriptId, failure],
  })
  if (!kept || !made || !content || failure) return
  const [added] = await ctx.query<{ id: number }>({
    name: 'summaries.add-summary',
    text: `insert into session_summary (coach_id, appointment_id, transcript_id, method, lines_hash,
        overview, takeaways, actions, content, created_at, updated_at, model, prompt_version)
      values ($1, $2, $3, $10, $4, $5::jsonb, $6::jsonb, $7::jsonb, $8, $9, $9, $11, $12)
      on conflict do nothing returning id`,
    values: [
      ctx.coachId,
      appointmentId,
      transcriptId,
      hashLines(lines),
      JSON.stringify(content.overview),
      JSON.stringify(content.takeaways),
      JSON.stringify(content.actions),
      formatContent(content),
      ctx.now(),
      made.method,
      made.model,
      made.promptVersion,
    ],
  })
  if (!added) return
  await setRecordingState(ctx, [appointmentId], { summaryGenerated: true })
  await publish(ctx, summaryGenerated, { summaryId: added.id, appointmentId })
}

const isEmpty = ({ overview, takeaways, actions }: SummaryContent): boolean =>
  overview.length + takeaways.length + actions.length === 0

const hashLines = (lines: TranscriptLine[]): Buffer => createHash('sha256').update(JSON.stringify(lines)).digest()
