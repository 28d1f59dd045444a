import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { Client } from '#modules/crm/index.ts'
import { Prospect } from '#modules/pipeline/index.ts'
import { appointmentStatuses, type AppointmentStatus } from './fields.ts'

/** A kind of appointment, such as a discovery call; each coach has their own list. */
export const AppointmentType = defineEntity({
  name: 'AppointmentType',
  tableName: 'appointment_type',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    ...columns.trash,
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('appointment_type_name_key', '(coach_id, lower(name)) where deleted_at is null', { unique: true }),
  ],
  checks: [check('appointment_type_name_length', `name <> '' and ${maxLength('name', 255)}`)],
  ...tenantPolicy('appointment_type'),
})

/** A session with a client or prospect. Hidden while they are in the trash, erased with them. */
export const Appointment = defineEntity({
  name: 'Appointment',
  tableName: 'appointment',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade').nullable(),
    prospect: () => tenantReference(Prospect, 'prospect_id', 'cascade').nullable(),
    appointmentType: () => tenantReference(AppointmentType, 'appointment_type_id', 'no action').nullable(),
    title: p.text(),
    description: p.text().nullable(),
    startTime: p.datetime(3),
    endTime: p.datetime(3),
    /** The time zone in which the times were chosen, an IANA name. */
    timezone: p.text(),
    status: p.text().$type<AppointmentStatus>().default('scheduled'),
    meetingUrl: p.text().nullable(),
    /** When the session was marked as completed. */
    completedAt: p.datetime(3).nullable(),
    /** Notes of a prospect's session (light markup). They become an interaction when the prospect is converted. */
    sessionNotes: p.text().nullable(),
    ...columns.trash,
    ...columns.version,
    ...searchColumn('title'),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('appointment_start', '(coach_id, start_time, id) where deleted_at is null'),
    sqlIndex('appointment_client', '(coach_id, client_id, start_time) where client_id is not null'),
    sqlIndex('appointment_prospect', '(coach_id, prospect_id) where prospect_id is not null'),
  ],
  checks: [
    check('appointment_client_or_prospect', 'num_nonnulls(client_id, prospect_id) = 1'),
    check('appointment_title_length', `title <> '' and ${maxLength('title', 255)}`),
    check('appointment_description_length', maxLength('description', 50_000)),
    check('appointment_session_notes_length', maxLength('session_notes', 50_000)),
    check('appointment_ends_after_start', 'end_time > start_time'),
    check('appointment_timezone_length', maxLength('timezone', 255)),
    check('appointment_status_allowed', allowedValues('status', appointmentStatuses)),
    check('appointment_meeting_url_format', `meeting_url ~* '^https://' and ${maxLength('meeting_url', 2000)}`),
    check('appointment_completed_status', `completed_at is null or status = 'completed'`),
    check('appointment_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('appointment'),
})
export type AppointmentRow = InferEntity<typeof Appointment>
