import { AppError, ignoreNotFound } from '#app/lib/errors.ts'
import {
  getAppointment,
  lockAppointment,
  setRecordingState,
  type AppointmentRecord,
} from '#modules/scheduling/index.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { findActive, findConsents } from '../queries/consents.ts'
import { findTranscript } from '../queries/transcripts.ts'
import { findRecording } from '../recordings/queries.ts'
import { requireConsent } from '../services/consents.ts'
import { includesSummaries, requirePlan } from '../services/plan.ts'
import { getSearch, type SearchRecord } from './queries.ts'
import { getFirstSearchTime } from './schedule.ts'
import { listConnectedSources } from './sources.ts'

export const searchQueue = 'summaries.look'
/** The queue's clock is that of the database: a job that came early would find nothing due. */
const clockSeconds = 5

/** Whether the recording of a session can be searched for: completed, agreed to, without transcript or recording. */
export async function canSearch(ctx: Ctx, appointment: AppointmentRecord): Promise<boolean> {
  if (!includesSummaries(ctx) || !(await listConnectedSources(ctx)).length) return false
  return isSearchable(ctx, appointment)
}

async function isSearchable(ctx: Ctx, appointment: AppointmentRecord): Promise<boolean> {
  return (
    appointment.sessionCompleted &&
    findActive(await findConsents(ctx, appointment)) !== null &&
    (await hasNoRecording(ctx, appointment.id))
  )
}

const hasNoRecording = async (ctx: Ctx, id: number): Promise<boolean> =>
  (await findTranscript(ctx, id)) === null && (await findRecording(ctx, id)) === null

/** Begins to look for the recording of a session that was completed, if that is possible. */
export async function searchCompleted(ctx: WriteCtx, { appointmentId }: { appointmentId: number }): Promise<void> {
  const appointment = await getAppointment(ctx, appointmentId).catch(ignoreNotFound)
  if (!appointment || !(await canSearch(ctx, appointment))) return
  await startSearch(ctx, appointmentId, getFirstSearchTime(new Date(appointment.endTime), ctx.now()))
}

/**
 * Looks for the recording of a session at once; also again, once that was given up. Throws not_found, plan_required, and
 * conflict if it is not completed, without consent, with a transcript or recording, or without a source.
 */
export async function searchAgain(ctx: WriteCtx, appointmentId: number): Promise<SearchRecord> {
  authorize(ctx, 'summaries:transcript:write')
  await requireSearchable(ctx, appointmentId)
  await startSearch(ctx, appointmentId, ctx.now())
  return getSearch(ctx, appointmentId)
}

async function requireSearchable(ctx: WriteCtx, appointmentId: number): Promise<void> {
  requirePlan(ctx)
  const { client, completedAt } = await lockAppointment(ctx, appointmentId)
  if (!completedAt) throw new AppError('conflict', 'This session is not completed.')
  await requireConsent(ctx, { id: appointmentId, clientId: client?.id ?? null })
  if (!(await hasNoRecording(ctx, appointmentId)))
    throw new AppError('conflict', 'This session has a transcript or a recording already.')
  if (!(await listConnectedSources(ctx)).length)
    throw new AppError('conflict', 'Connect Zoom or Google first, in Settings.')
}

/** Has one of several recordings taken. Throws as `searchAgain` does, and not_found for a recording that is not offered. */
export async function chooseCandidate(
  ctx: WriteCtx,
  appointmentId: number,
  { candidateId }: { candidateId: number },
): Promise<SearchRecord> {
  authorize(ctx, 'summaries:transcript:write')
  const [candidate] = await ctx.query<{ source: string; sourceId: string }>({
    name: 'summaries.candidate',
    text: `select source, source_id as "sourceId" from recording_candidate
      where coach_id = $1 and appointment_id = $2 and id = $3`,
    values: [ctx.coachId, appointmentId, candidateId],
  })
  if (!candidate) throw new AppError('not_found', 'Recording not found', { subject: 'recording' })
  await requireSearchable(ctx, appointmentId)
  await startSearch(ctx, appointmentId, ctx.now(), candidate)
  return getSearch(ctx, appointmentId)
}

/** `chosen`: the recording that the coach has chosen. It stays while it is looked for, unless that has failed. */
async function startSearch(
  ctx: WriteCtx,
  appointmentId: number,
  nextAttemptAt: Date,
  chosen: { source: string; sourceId: string } | null = null,
): Promise<void> {
  await ctx.query({
    name: 'summaries.start-search',
    text: `insert into recording_search (coach_id, appointment_id, source, source_id, next_attempt_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $6)
      on conflict (coach_id, appointment_id) do update set next_attempt_at = excluded.next_attempt_at, resumed = 0,
        source = case when $4::text is null and recording_search.next_attempt_at is not null
            and recording_search.failure is null
          then recording_search.source else excluded.source end,
        source_id = case when $4::text is null and recording_search.next_attempt_at is not null
            and recording_search.failure is null
          then recording_search.source_id else excluded.source_id end,
        failure = null, updated_at = $6`,
    values: [ctx.coachId, appointmentId, chosen?.source ?? null, chosen?.sourceId ?? null, nextAttemptAt, ctx.now()],
  })
  await setRecordingState(ctx, [appointmentId], { recordingDetectionStatus: 'searching' })
  await enqueueSearch(ctx, appointmentId, nextAttemptAt)
}

export async function enqueueSearch(
  { coachId, enqueue, now }: Pick<WriteCtx, 'coachId' | 'enqueue' | 'now'>,
  appointmentId: number,
  at: Date,
): Promise<void> {
  const seconds = Math.ceil((at.getTime() - now().getTime()) / 1000)
  const startAfter = seconds > 0 ? seconds + clockSeconds : 0
  await enqueue(searchQueue, { coachId, appointmentId }, { group: { id: String(coachId) }, startAfter })
}

/** A source may have something new: all planned searches run now. */
export async function bringForward(ctx: WriteCtx): Promise<void> {
  const rows = await ctx.query<{ appointmentId: number }>({
    name: 'summaries.bring-forward',
    text: `update recording_search set next_attempt_at = $2 where coach_id = $1 and next_attempt_at > $2
      returning appointment_id as "appointmentId"`,
    values: [ctx.coachId, ctx.now()],
  })
  for (const { appointmentId } of rows) await enqueueSearch(ctx, appointmentId, ctx.now())
}
