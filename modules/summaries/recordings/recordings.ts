import { AppError } from '#app/lib/errors.ts'
import { assertNotReadOnly } from '#modules/crm/index.ts'
import { lockAppointment, setRecordingState } from '#modules/scheduling/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { getUpload, takeUpload } from '#tenants/files/uploads.ts'
import { stopSearch } from '../detection/erase.ts'
import { findTranscript } from '../queries/transcripts.ts'
import { requireRevAi } from '../revai/client.ts'
import { requireConsent } from '../services/consents.ts'
import { requirePlan } from '../services/plan.ts'
import { eraseRecordings, recordingKind } from './erase.ts'
import { deleteUsage, requireMinutes } from './minutes.ts'
import { findRecording, type RecordingRecord, type RecordingRow } from './queries.ts'
import { requestJobDeletion, requestTranscription, requestUploadDeletion } from './queue.ts'

/**
 * Has a complete upload transcribed. Throws not_found, plan_required, plan_limit once the month's minutes are used up,
 * unavailable without Rev.ai, conflict before the session, without consent, or if it has a transcript or a recording,
 * and validation_failed for another kind of file. Unless Rev.ai is missing, the upload is then deleted: without consent
 * nothing that was said is kept.
 */
export async function addRecording(
  ctx: WriteCtx,
  appointmentId: number,
  { uploadId }: { uploadId: number },
): Promise<RecordingRecord> {
  authorize(ctx, 'summaries:transcript:write')
  const { isComplete } = await getUpload(ctx, uploadId)
  if (!isComplete) throw new AppError('conflict', 'This file has not arrived completely yet.')
  try {
    return await takeRecording(ctx, appointmentId, uploadId)
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await requestUploadDeletion(ctx, uploadId)
    throw error
  }
}

async function takeRecording(ctx: WriteCtx, appointmentId: number, uploadId: number): Promise<RecordingRecord> {
  requirePlan(ctx)
  requireRevAi(ctx.platform.config)
  const appointment = await lockAppointment(ctx, appointmentId)
  const clientId = appointment.client?.id ?? null
  if (appointment.startTime > ctx.now()) throw new AppError('conflict', 'This session has not started yet.')
  if (clientId !== null) await assertNotReadOnly(ctx, clientId)
  await requireConsent(ctx, { id: appointmentId, clientId })
  if (await findTranscript(ctx, appointmentId))
    throw new AppError('conflict', 'This session has a transcript already. Delete it first.')
  if (await findRecording(ctx, appointmentId))
    throw new AppError('conflict', 'This session has a recording already. Delete it first.')
  await requireMinutes(ctx)
  const id = await insertRecording(ctx, appointmentId, async (recordingId) => {
    const file = await takeUpload(ctx, uploadId, { kind: recordingKind, recordId: recordingId })
    if (!/^(?:audio|video)\//.test(file.contentType))
      throw new AppError('validation_failed', 'Choose an audio or video file.', { field: 'uploadId' })
    return file
  })
  await stopSearch(ctx, appointmentId)
  await requestTranscription(ctx, id)
  return (await findRecording(ctx, appointmentId))!
}

type TakenFile = { fileId: number; name: string; size: number }

/** `take`: makes a file the recording's. */
export async function insertRecording(
  ctx: WriteCtx,
  appointmentId: number,
  take: (recordingId: number) => Promise<TakenFile>,
): Promise<number> {
  const [added] = await ctx.query<{ id: number }>({
    name: 'summaries.add-recording',
    text: `insert into session_recording (coach_id, appointment_id, file_name, size, status, created_at, updated_at)
      values ($1, $2, '', 0, 'waiting', $3, $3) returning id`,
    values: [ctx.coachId, appointmentId, ctx.now()],
  })
  const { id } = added!
  const { fileId, name, size } = await take(id)
  await ctx.query({
    name: 'summaries.set-recording-file',
    text: 'update session_recording set file_id = $3, file_name = $4, size = $5 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, fileId, name, size],
  })
  return id
}

/** A recording that stays, to listen to. */
export async function setKept(
  ctx: WriteCtx,
  { id, appointmentId }: { id: number; appointmentId: number },
): Promise<void> {
  await ctx.query({
    name: 'summaries.set-kept',
    text: `update session_recording set status = 'kept', job_id = null, updated_at = $3 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, ctx.now()],
  })
  await setRecordingState(ctx, [appointmentId], { audioUrl: `/api/appointments/${appointmentId}/recording/file` })
}

/**
 * Sends a recording that failed, or that is kept without its transcript, again. Throws as `addRecording` does without
 * plan, consent, Rev.ai or a current client.
 */
export async function retryRecording(ctx: WriteCtx, appointmentId: number): Promise<void> {
  authorize(ctx, 'summaries:transcript:write')
  requirePlan(ctx)
  requireRevAi(ctx.platform.config)
  const clientId = (await lockAppointment(ctx, appointmentId)).client?.id ?? null
  if (clientId !== null) await assertNotReadOnly(ctx, clientId)
  await requireConsent(ctx, { id: appointmentId, clientId })
  if (!(await canRetry(ctx, appointmentId))) return
  await requireMinutes(ctx)
  const [row] = await ctx.query<{ id: number }>({
    name: 'summaries.retry-recording',
    text: `update session_recording set status = 'waiting', failure = null, job_id = null, started_at = null,
        attempt = attempt + 1, updated_at = $3
      where coach_id = $1 and appointment_id = $2 and status in ('failed', 'kept') returning id`,
    values: [ctx.coachId, appointmentId, ctx.now()],
  })
  if (row) await requestTranscription(ctx, row.id)
}

/** False for one that is on its way, or has its transcript: a second click changes nothing, and costs no minutes. */
async function canRetry(ctx: WriteCtx, appointmentId: number): Promise<boolean> {
  const recording = await findRecording(ctx, appointmentId)
  if (recording?.status === 'kept') return (await findTranscript(ctx, appointmentId)) === null
  return recording?.status === 'failed'
}

/** Notes why a recording has no transcript, unless it was started again in the meantime. */
export async function failRecording(
  ctx: WriteCtx,
  { id, appointmentId, jobId, attempt }: Pick<RecordingRow, 'id' | 'appointmentId' | 'jobId' | 'attempt'>,
  message: string,
): Promise<void> {
  const [failed] = await ctx.query({
    name: 'summaries.fail-recording',
    text: `update session_recording set status = 'failed', failure = $3, updated_at = $4
      where coach_id = $1 and id = $2 and attempt = $5 and status not in ('failed', 'kept') returning id`,
    values: [ctx.coachId, id, message, ctx.now(), attempt],
  })
  if (!failed) return
  await deleteUsage(ctx, { id, attempt })
  await setRecordingState(ctx, [appointmentId], { revaiJobId: null })
  if (jobId !== null) await requestJobDeletion(ctx, [jobId])
}

/** Deletes a recording permanently, here and at Rev.ai. Throws not_found. */
export async function deleteRecording(ctx: WriteCtx, appointmentId: number): Promise<void> {
  authorize(ctx, 'summaries:transcript:write')
  if ((await eraseRecordings(ctx, [appointmentId])) === 0)
    throw new AppError('not_found', 'Recording not found', { subject: 'recording' })
  await setRecordingState(ctx, [appointmentId], { revaiJobId: null })
}
