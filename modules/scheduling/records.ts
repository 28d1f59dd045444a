import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { joinClient } from '#modules/crm/index.ts'
import { joinProspect } from '#modules/pipeline/index.ts'
import { defineRecord, timestamp } from '../core/define-record.ts'
import { appointmentFields, appointmentTypeFields, type AppointmentStatus } from './fields.ts'

const optionalText = z.string().nullable()

export const appointmentType = defineRecord({
  kind: 'appointment_type',
  label: 'Appointment type',
  fields: appointmentTypeFields,
})
export const AppointmentTypeOut = appointmentType.output
export type AppointmentTypeRecord = z.output<typeof AppointmentTypeOut>

/** The fields of recordings and external calendars are empty until those are connected. */
export const appointment = defineRecord({
  kind: 'appointment',
  label: 'Appointment',
  alias: 'a',
  fields: appointmentFields,
  computed: {
    clientName: { output: optionalText, sql: 'c.name' },
    prospectName: { output: optionalText, sql: 'p.name' },
    // Null while the type is in the trash.
    appointmentTypeId: { output: z.int().nullable(), sql: 't.id' },
    timezone: { output: z.string().describe('The IANA time zone in which the times were chosen'), sql: 'a.timezone' },
    audioUrl: { output: optionalText, sql: 'null' },
    googleEventId: { output: optionalText, sql: 'null' },
    sessionCompleted: { output: z.boolean(), sql: 'a.completed_at is not null' },
    completedAt: { output: z.iso.datetime().nullable(), sql: isoTimestamp('a.completed_at') },
    revaiJobId: { output: optionalText, sql: 'null' },
    summaryGenerated: { output: z.boolean(), sql: 'false' },
    recordingDetectionStatus: { output: z.string(), sql: `'pending'` },
    recordingDetectionAttempts: { output: z.int(), sql: '0' },
    lastRecordingDetectionAttempt: { output: z.iso.datetime().nullable(), sql: 'null' },
    updatedAt: timestamp('a.updated_at'),
  },
})
export const AppointmentOut = appointment.output
export type AppointmentRecord = z.output<typeof AppointmentOut>

export const CompletedOut = z.object({
  appointment: AppointmentOut,
  revAiEnabled: z.boolean().describe('Whether a summary is being generated'),
})

/** SQL: appointments `a` with client `c`, prospect `p` and type `t`, unless one of them is in the trash. */
export const visibleAppointmentsSql = `from appointment a ${joinClient('a')} ${joinProspect('a')}
  left join appointment_type t on t.coach_id = $1 and t.id = a.appointment_type_id and t.deleted_at is null
  where a.coach_id = $1 and a.deleted_at is null and c.deleted_at is null and p.deleted_at is null`

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
