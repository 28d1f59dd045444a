import type { RecordKind } from '#modules/core/manifest.ts'
import { isClientInTrash, joinClient, unlinkAppointment } from '#modules/crm/index.ts'
import { isProspectInTrash, joinProspect } from './prospects.ts'
import { restoreAppointment } from './services/appointments.ts'
import { restoreSchedule } from './services/schedules.ts'
import { restoreType } from './services/types.ts'
import { attendeeNameSql, sessionTitleSql } from './joins.ts'
import { appointment, appointmentType, schedule, sessionAgenda } from './records.ts'

/** SQL: the name of the client or prospect of `r`. $1 is the coach. */
const attendeeSql = `(select ${attendeeNameSql} from (select 1) one ${joinClient('r')} ${joinProspect('r')})`
const dateSql = `to_char(local_time(r.start_time, (select timezone from account where id = $1)), 'Mon FMDD, YYYY')`

export const records: RecordKind[] = [
  appointment.recordKind({
    permission: 'scheduling:appointment',
    title: `r.title || ', ' || ${attendeeSql} || ', ' || ${dateSql}`,
    to: `'/calendar?dialog=appointment&appointment=' || r.id`,
    hidden: `${isClientInTrash('r')} or ${isProspectInTrash('r')}`,
    fields: {
      completed_at: { label: 'Completed', as: 'time' },
      session_notes: { label: 'Session notes', as: 'markup' },
      booked_online: 'Booked online',
      location: 'Location',
      answers: 'Answers',
      cancellation_reason: 'Reason for the cancellation',
      move_reason: 'Reason for the new time',
    },
    restore: restoreAppointment,
    onErase: (ctx, { id }) => unlinkAppointment(ctx, id),
  }),
  // An agenda is never deleted by itself: it has a history only.
  sessionAgenda.recordKind({
    permission: 'scheduling:appointment',
    title: `'Agenda of ' || ${sessionTitleSql('r')}`,
    to: `'/calendar/' || r.appointment_id || '/prepare'`,
    fields: { appointment_id: { label: 'Session', of: 'appointment' } },
  }),
  appointmentType.recordKind({
    permission: 'scheduling:type',
    title: 'r.name',
    to: `'/settings#appointment-types'`,
    fields: {
      durations: 'Durations in minutes',
      questions: 'Questions',
      reminder_minutes: 'Reminders, minutes before',
    },
    restore: restoreType,
  }),
  schedule.recordKind({
    permission: 'scheduling:availability',
    title: 'r.name',
    to: `'/calendar/availability?schedule=' || r.id`,
    fields: {
      is_default: 'Default schedule',
      hours: { label: 'Working hours', as: 'times' },
      overrides: { label: 'Date overrides', as: 'times' },
    },
    restore: restoreSchedule,
  }),
]
