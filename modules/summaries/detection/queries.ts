import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { AppointmentOut, getAppointment, type AppointmentRecord } from '#modules/scheduling/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'

const CandidateOut = z.object({
  id: z.int(),
  source: z.enum(['zoom', 'meet']),
  title: z.string(),
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
})
export type Candidate = z.output<typeof CandidateOut>

const { recordingDetectionStatus, recordingDetectionAttempts, lastRecordingDetectionAttempt } = AppointmentOut.shape
export const SearchOut = z.object({
  appointmentId: z.int(),
  recordingDetectionStatus,
  recordingDetectionAttempts,
  lastRecordingDetectionAttempt,
  nextAttemptAt: z.iso.datetime().nullable().describe('In the past during a search; null once the search has ended'),
  failure: z.string().nullable().describe('Why the last search failed'),
  candidates: z.array(CandidateOut).describe('Which of these belongs to the session is not known'),
})
export type SearchRecord = z.output<typeof SearchOut>

/** The search for the recording of a session, also before it has begun. Throws not_found. */
export async function getSearch(ctx: Ctx, appointmentId: number): Promise<SearchRecord> {
  return findSearch(ctx, await getAppointment(ctx, appointmentId))
}

/** As `getSearch`, of an appointment that is already read. */
export async function findSearch(ctx: Ctx, appointment: AppointmentRecord): Promise<SearchRecord> {
  authorize(ctx, 'summaries:transcript:read')
  const values = [ctx.coachId, appointment.id]
  const [[search], candidates] = (await ctx.queryAll([
    {
      name: 'summaries.search-state',
      text: `select ${isoTimestamp('case when claim is null then next_attempt_at else updated_at end')} as "nextAttemptAt",
        failure
        from recording_search where coach_id = $1 and appointment_id = $2`,
      values,
    },
    {
      name: 'summaries.candidates',
      text: `select id, source, title, ${isoTimestamp('start_time')} as "startTime", ${isoTimestamp('end_time')} as "endTime"
        from recording_candidate where coach_id = $1 and appointment_id = $2 order by start_time, id`,
      values,
    },
  ])) as [Pick<SearchRecord, 'nextAttemptAt' | 'failure'>[], Candidate[]]
  return {
    appointmentId: appointment.id,
    recordingDetectionStatus: appointment.recordingDetectionStatus,
    recordingDetectionAttempts: appointment.recordingDetectionAttempts,
    lastRecordingDetectionAttempt: appointment.lastRecordingDetectionAttempt,
    nextAttemptAt: search?.nextAttemptAt ?? null,
    failure: search?.failure ?? null,
    candidates,
  }
}
