import { localDate, localTime } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { byteOrderMark, formatCsv } from '#modules/core/csv/write.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Answer } from '../booking-fields.ts'
import { statusLabels, type AppointmentStatus } from '../fields.ts'
import { visibleAppointmentsSql } from '../records.ts'

type ExportedAppointment = {
  id: number
  title: string
  attendeeName: string
  attendeeEmail: string | null
  typeName: string | null
  startTime: string
  endTime: string
  status: AppointmentStatus
  bookedOnline: boolean
  place: string | null
  description: string | null
  answers: Answer[]
  cancellationReason: string | null
}

const headers = [
  'Date',
  'Start',
  'End date',
  'End',
  'Title',
  'With',
  'Email',
  'Type',
  'Status',
  'Booked online',
  'Place',
  'Description',
  'Answers',
  'Reason for the cancellation',
]
const batchSize = 500

/** A CSV file of all appointments, earliest first, one piece per batch. Times are in the coach's time zone. */
export async function* exportAppointments(ctx: Ctx): AsyncGenerator<string> {
  authorize(ctx, 'scheduling:appointment:read')
  const { timezone } = ctx.account
  yield byteOrderMark + formatCsv([headers])
  let after = { startTime: '-infinity', id: 0 }
  for (;;) {
    const appointments = await ctx.query<ExportedAppointment>({
      name: 'scheduling.export',
      text: `select a.id, a.title, coalesce(c.name, p.name) as "attendeeName", coalesce(c.email, p.email) as "attendeeEmail",
          t.name as "typeName", ${isoTimestamp('a.start_time')} as "startTime", ${isoTimestamp('a.end_time')} as "endTime",
          a.status, a.booked_online as "bookedOnline", coalesce(a.meeting_url, a.location) as place, a.description,
          a.answers, a.cancellation_reason as "cancellationReason"
        ${visibleAppointmentsSql} and (a.start_time, a.id) > ($2::timestamptz, $3::bigint)
        order by a.start_time, a.id limit ${batchSize}`,
      values: [ctx.coachId, after.startTime, after.id],
    })
    if (appointments.length) yield formatCsv(appointments.map((appointment) => toCells(appointment, timezone)))
    const last = appointments.at(-1)
    if (!last || appointments.length < batchSize) return
    after = last
  }
}

function toCells({ startTime, endTime, ...appointment }: ExportedAppointment, zone: string): string[] {
  return [
    localDate(startTime, zone),
    localTime(startTime, zone),
    localDate(endTime, zone),
    localTime(endTime, zone),
    appointment.title,
    appointment.attendeeName,
    appointment.attendeeEmail ?? '',
    appointment.typeName ?? '',
    statusLabels[appointment.status],
    appointment.bookedOnline ? 'Yes' : 'No',
    appointment.place ?? '',
    appointment.description ?? '',
    appointment.answers.map(({ question, answer }) => `${question}: ${answer}`).join('\n'),
    appointment.cancellationReason ?? '',
  ]
}
