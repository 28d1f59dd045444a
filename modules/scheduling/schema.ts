import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { atMost, oneOf, searched, tenantColumns, tenantPolicy, timestamps } from '#db/columns.ts'
import { Client } from '#modules/crm/index.ts'
import { Prospect } from '#modules/pipeline/index.ts'
import { appointmentStatuses, type AppointmentStatus } from './statuses.ts'

const check = (name: string, expression: string) => ({ name, expression })

/** What an appointment is: a coaching, a discovery call. The coach's own list. */
export const AppointmentType = defineEntity({
  name: 'AppointmentType',
  tableName: 'appointment_type',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    name: p.text(),
    deletedAt: p.datetime(3).nullable(),
    ...timestamps,
  },
  indexes: [
    {
      name: 'appointment_type_name_key',
      expression: (_columns, table, name) =>
        `create unique index "${name}" on "${table.name}" (coach_id, lower(name)) where deleted_at is null`,
    },
  ],
  checks: [check('appointment_type_name_length', `name <> '' and ${atMost('name', 255)}`)],
  ...tenantPolicy('appointment_type'),
})

/** A time that the coach spends with a client, or with a prospect. Hidden with one that lies in the trash, erased with them. */
export const Appointment = defineEntity({
  name: 'Appointment',
  tableName: 'appointment',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...tenantColumns,
    client: () =>
      p
        .manyToOne(Client)
        .ref()
        .nullable()
        .joinColumns('coach_id', 'client_id')
        .ownColumns('client_id')
        .updateRule('no action')
        .deleteRule('cascade'),
    prospect: () =>
      p
        .manyToOne(Prospect)
        .ref()
        .nullable()
        .joinColumns('coach_id', 'prospect_id')
        .ownColumns('prospect_id')
        .updateRule('no action')
        .deleteRule('cascade'),
    appointmentType: () =>
      p
        .manyToOne(AppointmentType)
        .ref()
        .nullable()
        .joinColumns('coach_id', 'appointment_type_id')
        .ownColumns('appointment_type_id')
        .updateRule('no action')
        .deleteRule('set null (appointment_type_id)'),
    title: p.text(),
    description: p.text().nullable(),
    startTime: p.datetime(3),
    endTime: p.datetime(3),
    /** Whose clock the times were chosen by: an IANA name. */
    timezone: p.text(),
    status: p.text().$type<AppointmentStatus>().default('scheduled'),
    meetingUrl: p.text().nullable(),
    /** When the session was marked as held; null: it wasn't. */
    completedAt: p.datetime(3).nullable(),
    /** What was noted of a prospect's session (light markup), until the prospect is a client and it becomes an interaction. */
    sessionNotes: p.text().nullable(),
    deletedAt: p.datetime(3).nullable(),
    /** Counts the edits, so that the second of two open tabs is told. */
    version: p.integer().default(1),
    ...searched('title'),
    ...timestamps,
  },
  indexes: [
    {
      name: 'appointment_by_start',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, start_time, id) where deleted_at is null`,
    },
    {
      name: 'appointment_of_client',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, client_id, start_time) where client_id is not null`,
    },
    {
      name: 'appointment_of_prospect',
      expression: (_columns, table, name) =>
        `create index "${name}" on "${table.name}" (coach_id, prospect_id) where prospect_id is not null`,
    },
  ],
  checks: [
    check('appointment_with_one', 'num_nonnulls(client_id, prospect_id) = 1'),
    check('appointment_title_length', `title <> '' and ${atMost('title', 255)}`),
    check('appointment_description_length', atMost('description', 50_000)),
    check('appointment_session_notes_length', atMost('session_notes', 50_000)),
    check('appointment_ends_after_start', 'end_time > start_time'),
    check('appointment_timezone_length', atMost('timezone', 255)),
    check('appointment_status_known', oneOf('status', appointmentStatuses)),
    check('appointment_meeting_url_shape', `meeting_url ~* '^https://' and ${atMost('meeting_url', 2000)}`),
    check('appointment_completed_says_so', `completed_at is null or status = 'completed'`),
    check('appointment_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('appointment'),
})
export type AppointmentRow = InferEntity<typeof Appointment>
