import { defineEntity, p } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { Appointment } from '../schema.ts'
import { messageKinds, skipReasons, type MessageKind, type SkipReason } from './kinds.ts'

/**
 * An email to the attendee of an appointment, planned, sent or skipped. The time, the place and the address are those
 * that the email names: a difference from the appointment is a change to announce.
 */
export const AppointmentMessage = defineEntity({
  name: 'AppointmentMessage',
  tableName: 'appointment_message',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade'),
    kind: p.text().$type<MessageKind>(),
    /** The sequence of the calendar file. A reminder has that of the message before it. */
    sequence: p.integer(),
    email: p.text(),
    startTime: p.datetime(3),
    endTime: p.datetime(3),
    place: p.text().nullable(),
    /** Whether the coach had not confirmed the booking yet. */
    tentative: p.boolean(),
    dueAt: p.datetime(3),
    /** Set before the email is given to the mail server, so that no second worker sends it. */
    claimedAt: p.datetime(3).nullable(),
    sentAt: p.datetime(3).nullable(),
    skipReason: p.text().$type<SkipReason>().nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [sqlIndex('appointment_message_key', '(coach_id, appointment_id, kind, sequence)', { unique: true })],
  checks: [
    check('appointment_message_kind_allowed', allowedValues('kind', Object.keys(messageKinds))),
    check('appointment_message_skip_reason_allowed', allowedValues('skip_reason', Object.keys(skipReasons))),
    check('appointment_message_email_length', maxLength('email', 254)),
    check('appointment_message_place_length', maxLength('place', 2000)),
    check('appointment_message_sent_once', 'sent_at is null or claimed_at is not null and skip_reason is null'),
  ],
  ...tenantPolicy('appointment_message'),
})
