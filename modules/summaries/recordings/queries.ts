import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { recordingStatuses } from './statuses.ts'

export const RecordingOut = z.object({
  id: z.int(),
  coachId: z.int(),
  appointmentId: z.int(),
  fileName: z.string(),
  size: z.int().describe('Bytes'),
  status: z.enum(recordingStatuses),
  failure: z.string().nullable().describe('Why it failed'),
  createdAt: z.iso.datetime(),
})
export type RecordingRecord = z.output<typeof RecordingOut>

export type RecordingRow = RecordingRecord & {
  fileId: number
  attempt: number
  jobId: string | null
  startedAt: string | null
}

const columns = `id, coach_id as "coachId", appointment_id as "appointmentId", file_name as "fileName", size, status, failure,
  file_id as "fileId", attempt, job_id as "jobId", ${isoTimestamp('started_at')} as "startedAt",
  ${isoTimestamp('created_at')} as "createdAt"`

/** The recording of a session that has no transcript yet, or that is kept; null without one. */
export async function findRecording(ctx: Ctx, appointmentId: number): Promise<RecordingRow | null> {
  authorize(ctx, 'summaries:transcript:read')
  const [row] = await ctx.query<RecordingRow>({
    name: 'summaries.recording-of-session',
    text: `select ${columns} from session_recording where coach_id = $1 and appointment_id = $2`,
    values: [ctx.coachId, appointmentId],
  })
  return row ?? null
}

export async function findRecordingById(ctx: Ctx, id: number): Promise<RecordingRow | null> {
  const [row] = await ctx.query<RecordingRow>({
    name: 'summaries.recording',
    text: `select ${columns} from session_recording where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id],
  })
  return row ?? null
}

export type OpenRecording = Pick<RecordingRow, 'id' | 'status' | 'startedAt' | 'createdAt' | 'jobId'>

/** Recordings that have neither a transcript nor failed. */
export function listOpenRecordings(ctx: Ctx): Promise<OpenRecording[]> {
  return ctx.query<OpenRecording>({
    name: 'summaries.open-recordings',
    text: `select id, status, job_id as "jobId", ${isoTimestamp('started_at')} as "startedAt",
        ${isoTimestamp('created_at')} as "createdAt"
      from session_recording where coach_id = $1 and status not in ('failed', 'kept') order by id`,
    values: [ctx.coachId],
  })
}
