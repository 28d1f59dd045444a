import { defineEntity, p } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { Appointment, reminderMinutesCheck } from '../schema.ts'
import { messageKinds, skipReasons, type MessageKind, type SkipReason } from './kinds.ts'
import { textKinds, type TextKind } from './texts.ts'

/**
 * An email about an appointment, to its attendee or to the coach, planned, sent or skipped. The time, the place and the
 * address are those that the email names: a difference from the appointment is a change to announce.
 */
export const AppointmentMessage = defineEntity({
  name: 'AppointmentMessage',
  tableName: 'appointment_message',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade'),
    kind: p.text().$type<MessageKind>(),
    /** The first message of those that are sent as one email. */
    groupId: p.bigint('number').nullable(),
    /** The sequence of the calendar file. A reminder has that of the message before it. */
    sequence: p.integer(),
    /** Minutes before the start or, of a follow-up, after the end. */
    leadMinutes: p.integer().default(0),
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
  indexes: [
    sqlIndex('appointment_message_key', '(coach_id, appointment_id, kind, sequence, lead_minutes)', { unique: true }),
    sqlIndex('appointment_message_claimed', '(coach_id, claimed_at) where sent_at is null and skip_reason is null'),
    sqlIndex('appointment_message_group', '(coach_id, group_id) where group_id is not null'),
  ],
  checks: [
    check('appointment_message_kind_allowed', allowedValues('kind', Object.keys(messageKinds))),
    check('appointment_message_skip_reason_allowed', allowedValues('skip_reason', Object.keys(skipReasons))),
    check('appointment_message_email_length', maxLength('email', 254)),
    check('appointment_message_place_length', maxLength('place', 2000)),
    check('appointment_message_sent_once', 'sent_at is null or claimed_at is not null and skip_reason is null'),
  ],
  ...tenantPolicy('appointment_message'),
})

/** The coach's own text of a kind of message. */
export const MessageText = defineEntity({
  name: 'MessageText',
  tableName: 'message_text',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    kind: p.text().$type<TextKind>(),
    subject: p.text(),
    body: p.text(),
    /** Whether the standard text is used instead: this one can be restored. */
    isStandard: p.boolean().default(false),
    ...columns.version,
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [sqlIndex('message_text_kind', '(coach_id, kind)', { unique: true })],
  checks: [
    check('message_text_kind_allowed', allowedValues('kind', Object.keys(textKinds))),
    check('message_text_subject_length', `subject <> '' and ${maxLength('subject', 200)}`),
    check('message_text_body_length', `body <> '' and ${maxLength('body', 5000)}`),
    check('message_text_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('message_text'),
})

/** Which messages appointments get whose type has no rules of its own, and whether the coach gets them too. */
export const MessageSettings = defineEntity({
  name: 'MessageSettings',
  tableName: 'message_settings',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    reminderMinutes: p.array<number>(Number).columnType('int[]'),
    followUp: p.boolean(),
    followUpMinutes: p.integer(),
    tellsCoach: p.boolean(),
    ...columns.version,
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [sqlIndex('message_settings_coach', '(coach_id)', { unique: true })],
  checks: [
    check('message_settings_reminder_minutes', reminderMinutesCheck),
    check('message_settings_follow_up_minutes', 'follow_up_minutes >= 5 and follow_up_minutes <= 43200'),
    check('message_settings_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('message_settings'),
})
