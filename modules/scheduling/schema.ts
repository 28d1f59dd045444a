import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { currentClient, tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { Client } from '#modules/crm/index.ts'
import {
  confirmations,
  followUps,
  locationKinds,
  newVisitors,
  payments,
  refundRules,
  visibilities,
  type Answer,
  type Confirmation,
  type FollowUp,
  type LocationKind,
  type NewVisitor,
  type Question,
  type RefundRule,
  type TypePayment,
  type Visibility,
} from './booking-fields.ts'
import { ImportedEvent } from './calendar-import/schema.ts'
import { appointmentStatuses, detectionStatuses, type AppointmentStatus, type DetectionStatus } from './fields.ts'
import type { OwnField } from './recurrence/own-fields.ts'
import type { Frequency } from './recurrence/rule.ts'

/** Working hours with a name. A coach has one default schedule, or none; types may have another. */
export const AvailabilitySchedule = defineEntity({
  name: 'AvailabilitySchedule',
  tableName: 'availability_schedule',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    isDefault: p.boolean().default(false),
    /** An IANA name; null: the coach's. */
    timezone: p.text().nullable(),
    /** In minutes. */
    bufferBefore: p.integer().default(0),
    bufferAfter: p.integer().default(0),
    minimumNoticeMinutes: p.integer().default(0),
    bookingWindowDays: p.integer().default(60),
    dailyLimit: p.integer().nullable(),
    weeklyLimit: p.integer().nullable(),
    /** Null: the duration. */
    slotIntervalMinutes: p.integer().nullable(),
    /** The ranges and overrides as text, for the history. */
    hours: p.text().default(''),
    overrides: p.text().default(''),
    ...columns.trash,
    ...columns.version,
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('availability_schedule_default', '(coach_id) where is_default and deleted_at is null', { unique: true }),
    sqlIndex('availability_schedule_name_key', '(coach_id, lower(name)) where deleted_at is null', { unique: true }),
  ],
  checks: [
    check('availability_schedule_name_length', `name <> '' and ${maxLength('name', 255)}`),
    check('availability_schedule_timezone_length', maxLength('timezone', 255)),
    check(
      'availability_schedule_ranges',
      'buffer_before >= 0 and buffer_before <= 480 and buffer_after >= 0 and buffer_after <= 480' +
        ' and minimum_notice_minutes >= 0 and booking_window_days >= 1 and daily_limit >= 1 and weekly_limit >= 1' +
        ' and slot_interval_minutes >= 5',
    ),
    check('availability_schedule_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('availability_schedule'),
})

/** Weekly hours: minutes after midnight on a weekday (0 is Sunday). */
export const AvailabilityRange = defineEntity({
  name: 'AvailabilityRange',
  tableName: 'availability_range',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    schedule: () => tenantReference(AvailabilitySchedule, 'schedule_id', 'cascade'),
    weekday: p.integer(),
    startMinute: p.integer(),
    endMinute: p.integer(),
  },
  indexes: [{ name: 'availability_range_schedule', properties: ['coachId', 'schedule'] }],
  checks: [
    check('availability_range_weekday', 'weekday >= 0 and weekday <= 6'),
    check('availability_range_minutes', 'start_minute >= 0 and end_minute > start_minute and end_minute <= 1440'),
  ],
  ...tenantPolicy('availability_range'),
})

/** Other hours on one date. A row without times is a day off. */
export const AvailabilityOverride = defineEntity({
  name: 'AvailabilityOverride',
  tableName: 'availability_override',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    schedule: () => tenantReference(AvailabilitySchedule, 'schedule_id', 'cascade'),
    date: p.date(),
    startMinute: p.integer().nullable(),
    endMinute: p.integer().nullable(),
  },
  indexes: [{ name: 'availability_override_schedule', properties: ['coachId', 'schedule', 'date'] }],
  checks: [
    check('availability_override_day_off', 'num_nulls(start_minute, end_minute) in (0, 2)'),
    check('availability_override_minutes', 'start_minute >= 0 and end_minute > start_minute and end_minute <= 1440'),
  ],
  ...tenantPolicy('availability_override'),
})

export const reminderMinutesCheck =
  'cardinality(reminder_minutes) <= 5 and 5 <= all (reminder_minutes) and 43200 >= all (reminder_minutes)'

/** A kind of appointment, such as a discovery call; each coach has their own list. */
export const AppointmentType = defineEntity({
  name: 'AppointmentType',
  tableName: 'appointment_type',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    /** Its part of the booking page's URL. */
    slug: p.text().nullable(),
    description: p.text().nullable(),
    color: p.text().nullable(),
    /** In minutes; the first is the usual one. */
    durations: p.array<number>(Number).columnType('int[]').default([60]),
    locationKind: p.text().$type<LocationKind>().default('none'),
    locationDetail: p.text().nullable(),
    priceCents: p.bigint('number').nullable(),
    /** Its module may be missing: only the migrations have its foreign key. */
    productId: p.bigint('number').nullable(),
    payment: p.text().$type<TypePayment>().default('later'),
    refund: p.text().$type<RefundRule>().default('automatic'),
    questions: p.json().$type<Question[]>().default([]),
    visibility: p.text().$type<Visibility>().default('hidden'),
    confirmation: p.text().$type<Confirmation>().default('instant'),
    /** A visitor with an unknown email address becomes one. */
    newVisitor: p.text().$type<NewVisitor>().default('prospect'),
    /** These rules are the schedule's if null. The limits count the appointments of this type. */
    bufferBefore: p.integer().nullable(),
    bufferAfter: p.integer().nullable(),
    minimumNoticeMinutes: p.integer().nullable(),
    bookingWindowDays: p.integer().nullable(),
    dailyLimit: p.integer().nullable(),
    weeklyLimit: p.integer().nullable(),
    slotIntervalMinutes: p.integer().nullable(),
    cancellationNoticeMinutes: p.integer().nullable(),
    /** Minutes before the start, and whether there is a follow-up; null: as the coach's settings say. */
    reminderMinutes: p.array<number>(Number).columnType('int[]').nullable(),
    followUp: p.text().$type<FollowUp>().nullable(),
    schedule: () => tenantReference(AvailabilitySchedule, 'schedule_id', 'no action').nullable(),
    ...columns.trash,
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('appointment_type_name_key', '(coach_id, lower(name)) where deleted_at is null', { unique: true }),
    sqlIndex('appointment_type_slug_key', '(coach_id, slug) where deleted_at is null', { unique: true }),
    sqlIndex('appointment_type_schedule', '(coach_id, schedule_id) where schedule_id is not null'),
    sqlIndex('appointment_type_product', '(coach_id, product_id) where product_id is not null'),
  ],
  checks: [
    check('appointment_type_name_length', `name <> '' and ${maxLength('name', 255)}`),
    check('appointment_type_slug_format', `slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and ${maxLength('slug', 60)}`),
    check('appointment_type_description_length', maxLength('description', 2000)),
    check('appointment_type_color_format', `color ~ '^#[0-9a-fA-F]{6}$'`),
    check(
      'appointment_type_durations',
      'cardinality(durations) >= 1 and cardinality(durations) <= 6 and 5 <= all (durations) and 1440 >= all (durations)',
    ),
    check('appointment_type_location_kind_allowed', allowedValues('location_kind', Object.keys(locationKinds))),
    check('appointment_type_location_detail_length', maxLength('location_detail', 500)),
    check('appointment_type_price_cents_range', 'price_cents >= 0'),
    check('appointment_type_payment_allowed', allowedValues('payment', Object.keys(payments))),
    check('appointment_type_refund_allowed', allowedValues('refund', Object.keys(refundRules))),
    check('appointment_type_price_or_product', 'price_cents is null or product_id is null'),
    check(
      'appointment_type_payment_price',
      `payment = 'later' or coalesce(price_cents, 0) > 0 or product_id is not null`,
    ),
    check('appointment_type_visibility_allowed', allowedValues('visibility', Object.keys(visibilities))),
    check('appointment_type_bookable_slug', `visibility = 'hidden' or slug is not null`),
    check('appointment_type_confirmation_allowed', allowedValues('confirmation', Object.keys(confirmations))),
    check('appointment_type_reminder_minutes', reminderMinutesCheck),
    check('appointment_type_follow_up_allowed', allowedValues('follow_up', Object.keys(followUps))),
    check('appointment_type_new_visitor_allowed', allowedValues('new_visitor', Object.keys(newVisitors))),
    check(
      'appointment_type_ranges',
      'buffer_before >= 0 and buffer_before <= 480 and buffer_after >= 0 and buffer_after <= 480' +
        ' and minimum_notice_minutes >= 0 and booking_window_days >= 1 and daily_limit >= 1 and weekly_limit >= 1' +
        ' and slot_interval_minutes >= 5 and cancellation_notice_minutes >= 0',
    ),
  ],
  ...tenantPolicy('appointment_type'),
})

/**
 * Sessions that repeat: how often, and the usual time of day. Each session is an appointment, so the end is the last
 * one. A trigger deletes a series without appointments.
 */
export const AppointmentSeries = defineEntity({
  name: 'AppointmentSeries',
  tableName: 'appointment_series',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    unit: p.text().$type<Frequency['unit']>(),
    interval: p.integer(),
    startMinute: p.integer(),
    durationMinutes: p.integer(),
    timezone: p.text(),
    createdAt: p.datetime(3),
  },
  checks: [
    check('appointment_series_unit_allowed', allowedValues('unit', ['week', 'month'])),
    check(
      'appointment_series_ranges',
      '"interval" >= 1 and "interval" <= 52 and start_minute >= 0 and start_minute <= 1439 and duration_minutes >= 1',
    ),
    check('appointment_series_timezone_length', maxLength('timezone', 255)),
  ],
  ...tenantPolicy('appointment_series'),
})

/** A session with a client or prospect. Hidden while they are in the trash, erased with them. */
export const Appointment = defineEntity({
  name: 'Appointment',
  tableName: 'appointment',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade').nullable(),
    /** Its module may be missing: only the migrations have its foreign key. */
    prospectId: p.bigint('number').nullable(),
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
    /** Whether a visitor booked it on the booking page. */
    bookedOnline: p.boolean().default(false),
    /** A link, a phone number or an address. */
    location: p.text().nullable(),
    answers: p.json().$type<Answer[]>().default([]),
    /** The attendee's, for cancelling it. */
    cancellationReason: p.text().nullable(),
    /** The attendee's, for its present time. */
    moveReason: p.text().nullable(),
    /** Whether its id in calendar files ends in the platform's host, as it did in earlier versions. */
    uidNamesHost: p.boolean().default(true),
    /** The event in the coach's Google calendar. */
    googleEventId: p.text().nullable(),
    /** These six belong to the module that keeps recordings and summaries (`setRecordingState`). */
    audioUrl: p.text().nullable(),
    revaiJobId: p.text().nullable(),
    summaryGenerated: p.boolean().default(false),
    recordingDetectionStatus: p.text().$type<DetectionStatus>().default('pending'),
    recordingDetectionAttempts: p.integer().default(0),
    lastRecordingDetectionAttempt: p.datetime(3).nullable(),
    series: () => tenantReference(AppointmentSeries, 'series_id', 'no action').nullable(),
    /** The date that it has by the rule of its series. */
    occurrenceDate: p.date().nullable(),
    /** These were changed in this session alone: changes of its series leave them (`recurrence/own-fields.ts`). */
    ownFields: p
      .array<OwnField>((name) => name as OwnField)
      .columnType('text[]')
      .default([]),
    ...columns.trash,
    ...columns.version,
    ...searchColumn('title'),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('appointment_start', '(coach_id, start_time, id) where deleted_at is null'),
    sqlIndex('appointment_client', '(coach_id, client_id, start_time) where client_id is not null'),
    sqlIndex('appointment_prospect', '(coach_id, prospect_id) where prospect_id is not null'),
    sqlIndex(
      'appointment_pending_summary',
      '(coach_id, start_time, id) where completed_at is not null and not summary_generated and deleted_at is null',
    ),
    sqlIndex('appointment_of_series', '(coach_id, series_id, occurrence_date) where series_id is not null'),
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
    check('appointment_location_length', maxLength('location', 500)),
    check('appointment_cancellation_reason_length', maxLength('cancellation_reason', 1000)),
    check('appointment_move_reason_length', maxLength('move_reason', 1000)),
    check('appointment_google_event_id_length', maxLength('google_event_id', 1024)),
    check('appointment_audio_url_length', maxLength('audio_url', 2000)),
    check('appointment_revai_job_id_length', maxLength('revai_job_id', 255)),
    check(
      'appointment_recording_detection_status_allowed',
      allowedValues('recording_detection_status', detectionStatuses),
    ),
    check('appointment_recording_detection_attempts_range', 'recording_detection_attempts >= 0'),
    check('appointment_occurrence', '(series_id is null) = (occurrence_date is null)'),
    check('appointment_completed_status', `completed_at is null or status = 'completed'`),
    check('appointment_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('appointment', { clients: { rows: `client_id = ${currentClient} and deleted_at is null` } }),
})
export type AppointmentRow = InferEntity<typeof Appointment>

/** The points that the coach wants to talk about in a session with a client, besides the open commitments. */
export const SessionAgenda = defineEntity({
  name: 'SessionAgenda',
  tableName: 'session_agenda',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade'),
    /** Light markup. */
    content: p.text().nullable(),
    ...columns.version,
    ...columns.timestamps,
  },
  indexes: [sqlIndex('session_agenda_appointment', '(coach_id, appointment_id)', { unique: true })],
  checks: [
    check('session_agenda_content_length', maxLength('content', 50_000)),
    check('session_agenda_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('session_agenda'),
})

/**
 * A time that visitors can't book: an appointment with its buffers, a hold, or an event of another calendar. A trigger
 * keeps those of appointments. No two rows of a coach overlap in both `during` and `lane`: appointments have a lane of
 * their own, so that the coach may overlap them on purpose; a booking takes all lanes until its transaction ends.
 */
export const BusyTime = defineEntity({
  name: 'BusyTime',
  tableName: 'busy_time',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade').nullable(),
    /** No foreign key: a hold expires before its type is erased. */
    appointmentTypeId: p.bigint('number').nullable(),
    holdTokenHash: p.blob().nullable(),
    importedEvent: () => tenantReference(ImportedEvent, 'imported_event_id', 'cascade').nullable(),
    /** Without buffers. */
    startTime: p.datetime(3),
    endTime: p.datetime(3),
    /** With buffers. */
    during: p.string().columnType('tstzrange'),
    lane: p.string().columnType('int8range'),
    /** When a hold ends. */
    expiresAt: p.datetime(3).nullable(),
    /** The module that has the event of another calendar, and the event's id there. */
    source: p.text().nullable(),
    sourceId: p.bigint('number').nullable(),
  },
  indexes: [
    sqlIndex('busy_time_appointment', '(coach_id, appointment_id) where appointment_id is not null', { unique: true }),
    // Under row level security only comparisons use an index, not the overlap of ranges.
    sqlIndex('busy_time_end', '(coach_id, end_time, start_time)'),
    sqlIndex('busy_time_hold', '(coach_id, hold_token_hash) where hold_token_hash is not null', { unique: true }),
    sqlIndex('busy_time_source', '(coach_id, source, source_id) where source is not null'),
    sqlIndex('busy_time_imported_event', '(coach_id, imported_event_id) where imported_event_id is not null', {
      unique: true,
    }),
  ],
  checks: [
    check('busy_time_no_overlap', 'exclude using gist (coach_id with =, during with &&, lane with &&)'),
    check('busy_time_hold_expires', '(hold_token_hash is null) = (expires_at is null)'),
    check('busy_time_ends_after_start', 'end_time > start_time'),
    check(
      'busy_time_source',
      '(source is null) = (source_id is null)' +
        ' and (source is null or num_nonnulls(appointment_id, hold_token_hash) = 0)',
    ),
  ],
  ...tenantPolicy('busy_time'),
})
