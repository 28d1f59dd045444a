import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { joinClient } from '#modules/crm/index.ts'
import { defineRecord, timestamp } from '../core/define-record.ts'
import { agendaFields } from './agenda-fields.ts'
import { appointmentTypeFields, questionKinds, scheduleFields, type Question } from './booking-fields.ts'
import { appointmentFields, detectionStatuses, type AppointmentStatus } from './fields.ts'
import { joinProspect } from './prospects.ts'

const optionalText = z.string().nullable()

const QuestionOut: z.ZodType<Question> = z.object({
  id: z.string(),
  label: z.string(),
  kind: z.enum(Object.keys(questionKinds) as [keyof typeof questionKinds]),
  required: z.boolean(),
  options: z.array(z.string()),
})

export const appointmentType = defineRecord({
  kind: 'appointment_type',
  label: 'Appointment type',
  alias: 't',
  fields: appointmentTypeFields,
  computed: {
    durations: { output: z.array(z.int()).describe('Minutes; the first is the usual one'), sql: 't.durations' },
    questions: { output: z.array(QuestionOut), sql: 't.questions' },
    reminderMinutes: {
      output: z.array(z.int()).nullable().describe('Minutes before the start. Null: as the settings of messages say'),
      sql: 't.reminder_minutes',
    },
  },
})
export const AppointmentTypeOut = appointmentType.output
export type AppointmentTypeRecord = z.output<typeof AppointmentTypeOut>

const time = z.string().describe("Such as '09:30'; the end of the day is '24:00'")

/** `hours`: by weekday, 0 is Sunday. `overrides`: of a date; without ranges it is a day off. */
export const schedule = defineRecord({
  kind: 'availability_schedule',
  label: 'Schedule',
  alias: 's',
  fields: scheduleFields,
  computed: {
    isDefault: { output: z.boolean(), sql: 's.is_default' },
    hours: {
      output: z.array(z.object({ weekday: z.int(), start: time, end: time })),
      sql: `(select coalesce(json_agg(json_build_object('weekday', r.weekday, 'start', ${formatMinutes('r.start_minute')},
          'end', ${formatMinutes('r.end_minute')}) order by r.weekday, r.start_minute), '[]')
        from availability_range r where r.coach_id = $1 and r.schedule_id = s.id)`,
    },
    overrides: {
      output: z.array(z.object({ date: z.iso.date(), ranges: z.array(z.object({ start: time, end: time })) })),
      sql: `(select coalesce(json_agg(json_build_object('date', days.date, 'ranges', days.ranges) order by days.date), '[]')
        from (select o.date, coalesce(json_agg(json_build_object('start', ${formatMinutes('o.start_minute')},
            'end', ${formatMinutes('o.end_minute')}) order by o.start_minute)
            filter (where o.start_minute is not null), '[]') as ranges
          from availability_override o where o.coach_id = $1 and o.schedule_id = s.id group by o.date) as days)`,
    },
    version: { output: z.int(), sql: 's.version' },
    updatedAt: timestamp('s.updated_at'),
  },
})
export const ScheduleOut = schedule.output
export type ScheduleRecord = z.output<typeof ScheduleOut>

/** SQL: minutes after midnight as '09:30'. */
function formatMinutes(column: string): string {
  return `lpad((${column} / 60)::text, 2, '0') || ':' || lpad((${column} % 60)::text, 2, '0')`
}

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
    audioUrl: { output: optionalText, sql: 'a.audio_url' },
    googleEventId: { output: optionalText, sql: 'a.google_event_id' },
    sessionCompleted: { output: z.boolean(), sql: 'a.completed_at is not null' },
    completedAt: { output: z.iso.datetime().nullable(), sql: isoTimestamp('a.completed_at') },
    revaiJobId: { output: optionalText, sql: 'a.revai_job_id' },
    summaryGenerated: { output: z.boolean(), sql: 'a.summary_generated' },
    recordingDetectionStatus: { output: z.enum(detectionStatuses), sql: 'a.recording_detection_status' },
    recordingDetectionAttempts: { output: z.int(), sql: 'a.recording_detection_attempts' },
    lastRecordingDetectionAttempt: {
      output: z.iso.datetime().nullable(),
      sql: isoTimestamp('a.last_recording_detection_attempt'),
    },
    seriesId: { output: z.int().nullable().describe('The same for all appointments of a series'), sql: 'a.series_id' },
    updatedAt: timestamp('a.updated_at'),
  },
})
export const AppointmentOut = appointment.output
export type AppointmentRecord = z.output<typeof AppointmentOut>

export const CompletedOut = z.object({
  appointment: AppointmentOut,
  revAiEnabled: z.boolean().describe('Whether a summary is being generated'),
})

export const sessionAgenda = defineRecord({ kind: 'session_agenda', label: 'Agenda', fields: agendaFields })

export const AgendaOut = z.object({
  coachId: z.int(),
  appointmentId: z.int(),
  commitments: z
    .array(
      z.object({
        id: z.int().describe('Of the task'),
        title: z.string(),
        owner: z.enum(['coach', 'client']),
        dueDate: z.iso.date().nullable(),
        appointmentId: z.int().describe('The session that it came from'),
      }),
    )
    .nullable()
    .describe('The open tasks from sessions with the client, those that are due first; null without tasks'),
  content: z.string().nullable().describe("The coach's own points, light markup"),
  updatedAt: z.iso.datetime().nullable().describe('When the points were saved'),
})
export type AgendaRecord = z.output<typeof AgendaOut>

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
  seriesId: number | null
  /** The color of its type. */
  color: string | null
}

/** SQL: a row of `shownSql` as a ListedAppointment. */
export const listedAppointmentSql = `
  a.id, a.title, coalesce(c.name, p.name) as "attendeeName", a.status,
  ${isoTimestamp('a.start_time')} as start, ${isoTimestamp('a.end_time')} as end,
  a.series_id as "seriesId", t.color`
