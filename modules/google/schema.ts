import { defineEntity, p } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { Appointment } from '#modules/scheduling/index.ts'
import { connectionStates, meetErrors, type ConnectionState, type MeetError } from './states.ts'

/** A coach's connection with a Google account, one for each coach, and how it works. */
export const GoogleConnection = defineEntity({
  name: 'GoogleConnection',
  tableName: 'google_connection',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    email: p.text(),
    state: p.text().$type<ConnectionState>().default('connected'),
    lastSuccessAt: p.datetime(3).nullable(),
    /** Since the first of the failures without a success in between. */
    failingSince: p.datetime(3).nullable(),
    failures: p.integer().default(0),
    /** Google's reason for the last failure. */
    lastError: p.text().nullable(),
    nextTryAt: p.datetime(3).nullable(),
    /** Whether jobs wait for the next try; not if Google refused a part alone. */
    isAway: p.boolean().default(false),
    /** The process that has the connection's work to itself, and until when. */
    claim: p.uuid().nullable(),
    claimedUntil: p.datetime(3).nullable(),
    /** A sync waits since then for that process to end. */
    syncRequestedAt: p.datetime(3).nullable(),
    /** Whether sessions without a place get a Meet link. */
    addsMeetLinks: p.boolean().default(false),
    /** Whether the coach lets us read the transcripts of Google Meet. */
    readsMeet: p.boolean().default(false),
    /** When Google Meet last answered, and why it did not since then. */
    meetReachedAt: p.datetime(3).nullable(),
    meetError: p.text().$type<MeetError>().nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [sqlIndex('google_connection_coach', '(coach_id)', { unique: true })],
  checks: [
    check('google_connection_state_allowed', allowedValues('state', connectionStates)),
    check('google_connection_email_length', maxLength('email', 254)),
    check('google_connection_last_error_length', maxLength('last_error', 255)),
    check('google_connection_meet_error_allowed', allowedValues('meet_error', meetErrors)),
  ],
  ...tenantPolicy('google_connection'),
})

/** The encrypted tokens of a connection: no record, no export and no history has them. */
export const GoogleToken = defineEntity({
  name: 'GoogleToken',
  tableName: 'google_token',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    connection: () => tenantReference(GoogleConnection, 'connection_id', 'cascade'),
    refreshToken: p.text(),
    accessToken: p.text(),
    accessTokenExpiresAt: p.datetime(3),
  },
  indexes: [sqlIndex('google_token_coach', '(coach_id)', { unique: true })],
  ...tenantPolicy('google_token'),
})

/** A coach who was sent to Google and has not come back. */
export const GoogleConnectAttempt = defineEntity({
  name: 'GoogleConnectAttempt',
  tableName: 'google_connect_attempt',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    stateHash: p.blob(),
    /** Encrypted; it proves that the same server asked for the code. */
    codeVerifier: p.text(),
    inPopup: p.boolean(),
    /** Whether they were asked for the transcripts of Google Meet: Google also repeats what was granted before. */
    withMeet: p.boolean().default(false),
    expiresAt: p.datetime(3),
  },
  indexes: [sqlIndex('google_connect_attempt_state', '(coach_id, state_hash)', { unique: true })],
  ...tenantPolicy('google_connect_attempt'),
})

/** A calendar of the connected account. */
export const GoogleCalendar = defineEntity({
  name: 'GoogleCalendar',
  tableName: 'google_calendar',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    connection: () => tenantReference(GoogleConnection, 'connection_id', 'cascade'),
    /** Google's id. */
    calendarId: p.text(),
    name: p.text(),
    timezone: p.text(),
    isPrimary: p.boolean().default(false),
    canWrite: p.boolean().default(false),
    /** Whether its events block time. */
    blocks: p.boolean().default(false),
    /** Whether appointments are written to it; at most one. */
    isTarget: p.boolean().default(false),
    syncToken: p.text().nullable(),
    syncedAt: p.datetime(3).nullable(),
    /** The watch channel. */
    channelId: p.text().nullable(),
    channelResourceId: p.text().nullable(),
    channelExpiresAt: p.datetime(3).nullable(),
  },
  indexes: [
    sqlIndex('google_calendar_key', '(coach_id, calendar_id)', { unique: true }),
    sqlIndex('google_calendar_target', '(coach_id) where is_target', { unique: true }),
  ],
  checks: [
    check('google_calendar_calendar_id_length', maxLength('calendar_id', 1024)),
    check('google_calendar_name_length', maxLength('name', 255)),
    check('google_calendar_timezone_length', maxLength('timezone', 255)),
  ],
  ...tenantPolicy('google_calendar'),
})

/** An event that blocks time: a single one, a series, or an exception of a series. Without title: nobody needs it. */
export const GoogleEvent = defineEntity({
  name: 'GoogleEvent',
  tableName: 'google_event',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    calendar: () => tenantReference(GoogleCalendar, 'google_calendar_id', 'cascade'),
    /** Google's id. */
    eventId: p.text(),
    /** Null for an exception that takes place no more. */
    startTime: p.datetime(3).nullable(),
    endTime: p.datetime(3).nullable(),
    timezone: p.text(),
    /** The rules of a series, one a line, as in iCalendar. */
    recurrence: p.text().nullable(),
    /** The series of an exception, and the time that it replaces. */
    seriesEventId: p.text().nullable(),
    originalStart: p.datetime(3).nullable(),
  },
  indexes: [
    sqlIndex('google_event_key', '(coach_id, google_calendar_id, event_id)', { unique: true }),
    sqlIndex(
      'google_event_series',
      '(coach_id, google_calendar_id, series_event_id) where series_event_id is not null',
    ),
  ],
  checks: [
    check('google_event_event_id_length', maxLength('event_id', 1024)),
    check('google_event_times', 'end_time > start_time and num_nulls(start_time, end_time) <> 1'),
  ],
  ...tenantPolicy('google_event'),
})

/** The event of an appointment in the calendar that is written to, or an appointment that waits for one. */
export const GoogleLink = defineEntity({
  name: 'GoogleLink',
  tableName: 'google_link',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade'),
    /** Null: no event was written. */
    calendar: () => tenantReference(GoogleCalendar, 'google_calendar_id', 'no action').nullable(),
    eventId: p.text().nullable(),
    /** Counts the events of the appointment: Google never gives an id again. */
    generation: p.integer().default(0),
    etag: p.text().nullable(),
    /** Google's time of the last version that was written here. */
    eventUpdatedAt: p.datetime(3).nullable(),
    writtenAt: p.datetime(3).nullable(),
    /** The times and the hash of what was written. */
    startTime: p.datetime(3).nullable(),
    endTime: p.datetime(3).nullable(),
    contentHash: p.text().nullable(),
    meetUrl: p.text().nullable(),
    /** Whether the coach asked for a Meet link. */
    wantsMeet: p.boolean().default(false),
    /** Counts the changes of the appointment, and those that were written: it waits while they differ. */
    changes: p.integer().default(0),
    writtenChanges: p.integer().default(0),
  },
  indexes: [
    sqlIndex('google_link_appointment', '(coach_id, appointment_id)', { unique: true }),
    sqlIndex('google_link_event', '(coach_id, google_calendar_id, event_id) where event_id is not null'),
    sqlIndex('google_link_pending', '(coach_id, id) where changes > written_changes'),
  ],
  checks: [check('google_link_event_id_length', maxLength('event_id', 1024))],
  ...tenantPolicy('google_link'),
})
