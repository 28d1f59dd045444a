import { authorize, type WriteCtx } from '#tenants/context.ts'
import type { DetectionStatus } from '../fields.ts'

/** A session's fields that another module keeps. */
export type RecordingState = {
  audioUrl: string | null
  revaiJobId: string | null
  summaryGenerated: boolean
  recordingDetectionStatus: DetectionStatus
  recordingDetectionAttempts: number
  lastRecordingDetectionAttempt: Date | null
}

const columns: Record<keyof RecordingState, string> = {
  audioUrl: 'audio_url',
  revaiJobId: 'revai_job_id',
  summaryGenerated: 'summary_generated',
  recordingDetectionStatus: 'recording_detection_status',
  recordingDetectionAttempts: 'recording_detection_attempts',
  lastRecordingDetectionAttempt: 'last_recording_detection_attempt',
}

const known = Object.keys(columns) as (keyof RecordingState)[]

/** Notes the recordings and summaries of sessions. Not a change of the appointments: their version stays. */
export async function setRecordingState(
  ctx: WriteCtx,
  appointmentIds: number[],
  state: Partial<RecordingState>,
): Promise<void> {
  authorize(ctx, 'scheduling:appointment:write')
  const names = (Object.keys(state) as (keyof RecordingState)[]).sort()
  await ctx.query({
    // Names of statements have at most 63 characters.
    name: `scheduling.recording-state-${names.map((name) => known.indexOf(name)).join('-')}`,
    text: `update appointment set ${names.map((name, index) => `${columns[name]} = $${index + 3}`).join(', ')}
      where coach_id = $1 and id = any($2::bigint[])`,
    values: [ctx.coachId, appointmentIds, ...names.map((name) => state[name] ?? null)],
  })
}
