import type { EraseCtx } from '#modules/core/manifest.ts'
import { eraseLoggedInteractions } from '#modules/crm/index.ts'
import { setRecordingState } from '#modules/scheduling/index.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { eraseSearches } from '../detection/erase.ts'
import { interactionSources } from '../fields.ts'
import { eraseRecordings } from '../recordings/erase.ts'

/**
 * Permanently deletes all that was made from these sessions, also in the trash, with the history. With `clientId`
 * also the interactions of sessions that no longer exist.
 */
export async function eraseSessions(
  ctx: WriteCtx,
  appointmentIds: number[],
  { clientId }: { clientId: number | null },
): Promise<void> {
  const values = [ctx.coachId, appointmentIds]
  await eraseSearches(ctx, appointmentIds)
  // Before the transcripts: one that a worker has just made of a recording is then found.
  await eraseRecordings(ctx, appointmentIds)
  // A worker that holds one of them may be adding its summary, which is then found.
  await ctx.query({
    name: 'summaries.lock-transcripts',
    text: `select id from session_transcript where coach_id = $1 and appointment_id = any($2::bigint[])
      order by id for update`,
    values,
  })
  // Summaries before the transcripts that they refer to.
  await ctx.query({
    name: 'summaries.erase-summaries',
    text: 'delete from session_summary where coach_id = $1 and appointment_id = any($2::bigint[])',
    values,
  })
  await ctx.query({
    name: 'summaries.erase-transcripts',
    text: 'delete from session_transcript where coach_id = $1 and appointment_id = any($2::bigint[])',
    values,
  })
  await eraseLoggedInteractions(ctx, { appointmentIds, clientId, sources: Object.values(interactionSources) })
  await ctx.platform.extensions.sessionTasks?.erase(ctx, { appointmentIds, clientId })
  await setRecordingState(ctx, appointmentIds, {
    audioUrl: null,
    revaiJobId: null,
    summaryGenerated: false,
    recordingDetectionStatus: 'pending',
    recordingDetectionAttempts: 0,
    lastRecordingDetectionAttempt: null,
  })
}

/**
 * Before a session is permanently deleted: also what it left on the timeline and among the tasks, unless a consent for all
 * sessions of the client can still be withdrawn for it.
 */
export async function eraseWithoutConsent(ctx: EraseCtx, { id }: { id: number }): Promise<void> {
  const [kept] = await ctx.query({
    name: 'summaries.has-consent-of-client',
    text: `select 1 from recording_consent r join appointment a on a.coach_id = $1 and a.id = $2 and a.client_id = r.client_id
      where r.coach_id = $1 and r.withdrawn_at is null limit 1`,
    values: [ctx.coachId, id],
  })
  if (kept) return
  const session = { appointmentIds: [id], clientId: null }
  await eraseLoggedInteractions(ctx, { ...session, sources: Object.values(interactionSources) })
  await ctx.platform.extensions.sessionTasks?.erase(ctx, session)
}
