import { setRecordingState } from '#modules/scheduling/index.ts'
import type { WriteCtx } from '#tenants/context.ts'

/** Deletes what a search has noted about sessions: also the titles of recordings. */
export async function eraseSearches(ctx: WriteCtx, appointmentIds: number[]): Promise<void> {
  const values = [ctx.coachId, appointmentIds]
  await ctx.query({
    name: 'summaries.erase-candidates',
    text: 'delete from recording_candidate where coach_id = $1 and appointment_id = any($2::bigint[])',
    values,
  })
  await ctx.query({
    name: 'summaries.erase-searches',
    text: 'delete from recording_search where coach_id = $1 and appointment_id = any($2::bigint[])',
    values,
  })
}

/** Stops the search for the recording of a session and deletes what it has noted. */
export async function stopSearch(ctx: WriteCtx, appointmentId: number): Promise<void> {
  await eraseSearches(ctx, [appointmentId])
  await setRecordingState(ctx, [appointmentId], { recordingDetectionStatus: 'pending' })
}
