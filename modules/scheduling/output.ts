import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { joinClient } from '#modules/crm/index.ts'
import { joinProspect } from '#modules/pipeline/index.ts'
import { appointmentStatuses, type AppointmentStatus } from './statuses.ts'

const text = z.string().nullable()
const id = z.int().nullable()
const time = z.iso.datetime()

/** An appointment in the API. The fields of recordings and external calendars are empty until those are connected. */
export const AppointmentOut = z.object({
  id: z.int(),
  coachId: z.int(),
  clientId: id,
  clientName: text,
  prospectId: id,
  prospectName: text,
  appointmentTypeId: id,
  title: z.string(),
  description: text,
  startTime: time,
  endTime: time,
  timezone: z.string().describe('The IANA time zone in which the times were chosen'),
  status: z.enum(appointmentStatuses),
  meetingUrl: text,
  audioUrl: text,
  googleEventId: text,
  sessionCompleted: z.boolean(),
  completedAt: time.nullable(),
  revaiJobId: text,
  summaryGenerated: z.boolean(),
  recordingDetectionStatus: z.string(),
  recordingDetectionAttempts: z.int(),
  lastRecordingDetectionAttempt: time.nullable(),
  createdAt: time,
  updatedAt: time,
})
export type AppointmentRecord = z.infer<typeof AppointmentOut>

export const CompletedOut = z.object({
  appointment: AppointmentOut,
  revAiEnabled: z.boolean().describe('Whether a summary is being generated'),
})

export const AppointmentTypeOut = z.object({ id: z.int(), coachId: z.int(), name: z.string(), createdAt: time })
export type AppointmentTypeRecord = z.infer<typeof AppointmentTypeOut>

/** SQL: appointments `a` with client `c`, prospect `p` and type `t`, unless one of them is in the trash. */
export const visibleAppointmentsSql = `from appointment a ${joinClient('a')} ${joinProspect('a')}
  left join appointment_type t on t.coach_id = a.coach_id and t.id = a.appointment_type_id and t.deleted_at is null
  where a.deleted_at is null and c.deleted_at is null and p.deleted_at is null`

/** SQL: a row of `shownSql` as an AppointmentRecord. */
export const appointmentRecordSql = `
  a.id, a.coach_id as "coachId", a.client_id as "clientId", c.name as "clientName",
  a.prospect_id as "prospectId", p.name as "prospectName", t.id as "appointmentTypeId", a.title, a.description,
  ${isoTimestamp('a.start_time')} as "startTime", ${isoTimestamp('a.end_time')} as "endTime", a.timezone, a.status,
  a.meeting_url as "meetingUrl", null as "audioUrl", null as "googleEventId",
  a.completed_at is not null as "sessionCompleted", ${isoTimestamp('a.completed_at')} as "completedAt",
  null as "revaiJobId", false as "summaryGenerated", 'pending' as "recordingDetectionStatus",
  0 as "recordingDetectionAttempts", null as "lastRecordingDetectionAttempt",
  ${isoTimestamp('a.created_at')} as "createdAt", ${isoTimestamp('a.updated_at')} as "updatedAt"`

/** An appointment in lists. `attendeeName`: of the client or the prospect. */
export type ListedAppointment = {
  id: number
  title: string
  attendeeName: string
  status: AppointmentStatus
  start: string
  end: string
}

/** SQL: a row of `shownSql` as a ListedAppointment. */
export const listedAppointmentSql = `
  a.id, a.title, coalesce(c.name, p.name) as "attendeeName", a.status,
  ${isoTimestamp('a.start_time')} as start, ${isoTimestamp('a.end_time')} as end`

/** SQL: a row of `appointment_type` as an AppointmentTypeRecord. */
export const typeRecordSql = `id, coach_id as "coachId", name, ${isoTimestamp('created_at')} as "createdAt"`

export const appointmentNotFound = (): AppError =>
  new AppError('not_found', 'Appointment not found', { subject: 'appointment' })
export const typeNotFound = (): AppError =>
  new AppError('not_found', 'Appointment type not found', { subject: 'appointment_type' })
