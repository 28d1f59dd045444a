import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { getAppointment, setRecordingState } from '#modules/scheduling/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { usesHttps } from '#tenants/config.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { openFile } from '#tenants/files/files.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import type { Platform } from '#tenants/platform.ts'
import { findTranscriber } from '../revai/transcriber.ts'
import { startSummary } from '../services/generation.ts'
import { includesSummaries } from '../services/plan.ts'
import { getSettings } from '../services/settings.ts'
import { insertTranscript } from '../services/transcripts.ts'
import type { TranscriptLine } from '../types.ts'
import { eraseRecordings } from './erase.ts'
import { countSent, setSentMinutes } from './minutes.ts'
import { findRecordingById, listOpenRecordings, type RecordingRow } from './queries.ts'
import { requestJobDeletion, requestResult, requestTranscription } from './queue.ts'
import { failRecording, setKept } from './recordings.ts'
import { TranscriberError, type Transcriber, type TranscriptionFailure, type TranscriptionJob } from './transcriber.ts'
import { signWebhook } from './webhook.ts'

/** A recording that takes longer has failed. */
const giveUpMs = dayMs

const messages = {
  unavailable: 'Transcription is not available right now. Try again later.',
  gaveUp: 'Rev.ai has not answered for a day. Try again.',
  lost: 'Rev.ai has lost this recording. Try again.',
  refused: 'Rev.ai can’t read this recording. Delete it and upload another file.',
  silent: 'No speech was found in this recording. Delete it and upload another file.',
  tooLong: 'This recording is too long for Rev.ai. Delete it and upload a shorter one.',
  failed: 'Rev.ai could not transcribe this recording. Try again.',
}

const failureMessages: Record<TranscriptionFailure, string> = {
  unreadable: messages.refused,
  silent: messages.silent,
  too_long: messages.tooLong,
  unavailable: messages.unavailable,
  other: messages.failed,
}

type Data = { coachId: number; recordingId: number }
type Loaded = { ctx: Ctx; recording: RecordingRow }

async function load(platform: Platform, { coachId, recordingId }: Data): Promise<Loaded | null> {
  const ctx = await loadCoachContext(platform, coachId, `recording-${recordingId}`)
  const recording = ctx && (await findRecordingById(ctx, recordingId))
  return recording ? { ctx, recording } : null
}

/**
 * Sends a recording to Rev.ai. Submitting twice would cost twice: that it begins is stored first, and a worker that
 * finds it so looks for the job at Rev.ai.
 */
export async function transcribe(platform: Platform, data: Data): Promise<void> {
  const found = await load(platform, data)
  if (!found || !['waiting', 'submitting'].includes(found.recording.status)) return
  const { ctx, recording } = found
  const transcriber = findTranscriber(platform.config)
  if (!transcriber) return fail(ctx, recording, messages.unavailable)
  const wasStarted = recording.status === 'submitting'
  if (!wasStarted) await ctx.write((tx) => markSubmitting(tx, recording))
  try {
    const job =
      (wasStarted ? await transcriber.find(toMetadata(recording)) : null) ?? (await submit(ctx, transcriber, recording))
    await ctx.write((tx) => markTranscribing(tx, recording, job.id))
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return fail(ctx, recording, messages.failed)
    await handleFailure(ctx, recording, error)
  }
}

const toMetadata = ({ coachId, appointmentId, id, attempt }: RecordingRow): string =>
  `${coachId}:${appointmentId}:${id}.${attempt}`

async function submit(ctx: Ctx, transcriber: Transcriber, recording: RecordingRow): Promise<TranscriptionJob> {
  const { content } = await openFile(ctx, recording.fileId)
  const { config } = ctx.platform
  try {
    return await transcriber.submit({
      content,
      // The name may be the client's.
      fileName: 'recording',
      metadata: toMetadata(recording),
      webhook: usesHttps(config)
        ? { url: `${config.origin}/revai/webhooks/jobs`, authorization: signWebhook(ctx.platform, recording) }
        : null,
    })
  } finally {
    content.destroy()
  }
}

async function markSubmitting(ctx: WriteCtx, recording: RecordingRow): Promise<void> {
  await ctx.query({
    name: 'summaries.recording-submitting',
    text: `update session_recording set status = 'submitting', started_at = $3, updated_at = $3
      where coach_id = $1 and id = $2 and status = 'waiting'`,
    values: [ctx.coachId, recording.id, ctx.now()],
  })
  await countSent(ctx, recording)
}

async function markTranscribing(ctx: WriteCtx, { id, appointmentId }: RecordingRow, jobId: string): Promise<void> {
  const [kept] = await ctx.query({
    name: 'summaries.recording-transcribing',
    text: `update session_recording set status = 'transcribing', job_id = $3, updated_at = $4
      where coach_id = $1 and id = $2 and status = 'submitting' returning id`,
    values: [ctx.coachId, id, jobId, ctx.now()],
  })
  if (kept) await setRecordingState(ctx, [appointmentId], { revaiJobId: jobId })
  // It was deleted in the meantime.
  else await requestJobDeletion(ctx, [jobId])
}

/** Looks whether Rev.ai has finished, and keeps the transcript in place of the recording, or beside it. */
export async function collect(platform: Platform, data: Data): Promise<void> {
  const found = await load(platform, data)
  const transcriber = findTranscriber(platform.config)
  if (!found || !transcriber) return
  const { ctx, recording } = found
  if (recording.status !== 'transcribing' || recording.jobId === null) return
  try {
    const { state, seconds } = await transcriber.get(recording.jobId)
    if (typeof state === 'object') return await failJob(ctx, recording, state)
    if (state === 'running') return void (await giveUpIfLate(ctx, recording))
    const lines = await transcriber.getLines(recording.jobId)
    if (lines.length === 0) return await fail(ctx, recording, messages.silent)
    await ctx.write((tx) => keepTranscript(tx, recording, { lines, seconds }))
  } catch (error) {
    if (error instanceof TranscriberError && error.kind === 'not_found') return fail(ctx, recording, messages.lost)
    await handleFailure(ctx, recording, error)
  }
}

type Failed = { failure: TranscriptionFailure; code: string }

async function failJob(ctx: Ctx, recording: RecordingRow, { failure, code }: Failed): Promise<void> {
  if (failure === 'unavailable') ctx.platform.log.error({ coachId: ctx.coachId, code }, 'Rev.ai needs attention')
  await fail(ctx, recording, failureMessages[failure])
}

/** Throws what a later try may solve. */
async function handleFailure(ctx: Ctx, recording: RecordingRow, error: unknown): Promise<void> {
  if (!(error instanceof TranscriberError)) throw error
  const { kind, status, code } = error
  ctx.platform.log.error({ coachId: ctx.coachId, kind, status, code }, 'Rev.ai failed')
  if (kind === 'refused') return fail(ctx, recording, messages.refused)
  if (kind === 'revoked') return fail(ctx, recording, messages.unavailable)
  if (!(await giveUpIfLate(ctx, recording))) throw error
}

async function giveUpIfLate(ctx: Ctx, recording: RecordingRow): Promise<boolean> {
  const startedAt = Date.parse(recording.startedAt ?? recording.createdAt)
  const isLate = ctx.now().getTime() - startedAt >= giveUpMs
  if (isLate) await fail(ctx, recording, messages.gaveUp)
  return isLate
}

const fail = (ctx: Ctx, recording: RecordingRow, message: string): Promise<void> =>
  ctx.write((tx) => failRecording(tx, recording, message))

/** Once: the second of two workers finds no recording with this job. */
async function keepTranscript(
  ctx: WriteCtx,
  recording: RecordingRow,
  { lines, seconds }: { lines: TranscriptLine[]; seconds: number | null },
): Promise<void> {
  const { id, appointmentId, jobId, fileName } = recording
  const { recordingDays } = await getSettings(ctx)
  const [finished] = await ctx.query({
    name: 'summaries.lock-transcribed',
    text: 'select 1 from session_recording where coach_id = $1 and id = $2 and job_id = $3 for update',
    values: [ctx.coachId, id, jobId],
  })
  if (!finished) return
  await setSentMinutes(ctx, recording, seconds ?? (lines.at(-1)!.endMs ?? 0) / 1000)
  // The job with them.
  if (recordingDays === null) await eraseRecordings(ctx, [appointmentId])
  else {
    await setKept(ctx, recording)
    await requestJobDeletion(ctx, [jobId!])
  }
  await setRecordingState(ctx, [appointmentId], { revaiJobId: null })
  const isAdded = await insertTranscript(ctx, appointmentId, { source: 'revai', fileName }, lines).then(
    () => true,
    // The coach has added one by hand.
    (error: unknown) => (error instanceof AppError && error.code === 'conflict' ? false : Promise.reject(error)),
  )
  const appointment = await getAppointment(ctx, appointmentId)
  if (isAdded && appointment.sessionCompleted && includesSummaries(ctx)) await startSummary(ctx, appointmentId)
}

/** Deletes a job at Rev.ai. One that still runs can't be deleted, so it is tried again. */
export async function deleteJob({ config, log }: Platform, jobId: string): Promise<void> {
  try {
    await findTranscriber(config)?.delete(jobId)
  } catch (error) {
    if (error instanceof TranscriberError && error.kind === 'revoked')
      // Rev.ai deletes it by itself after a day.
      return log.error({ code: error.code }, 'Rev.ai did not delete a job')
    throw error
  }
}

/**
 * Webhooks get lost, and an installation without a public address gets none. Also goes on with what a queue has given
 * up.
 */
export async function poll(platform: Platform): Promise<void> {
  if (!findTranscriber(platform.config)) return
  await forEachCoach(platform, async ({ id }) => {
    const ctx = await loadCoachContext(platform, id, `recordings-${id}`)
    if (ctx) await pollCoach(ctx)
  })
}

async function pollCoach(ctx: Ctx): Promise<void> {
  const open = await listOpenRecordings(ctx)
  for (const { id, status, startedAt, createdAt } of open) {
    const age = ctx.now().getTime() - Date.parse(startedAt ?? createdAt)
    if (status === 'transcribing') await ctx.write((tx) => requestResult(tx, id))
    else if (age >= giveUpMs / 2) await ctx.write((tx) => requestTranscription(tx, id))
  }
}
