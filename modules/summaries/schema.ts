import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { currentClient, tenantPolicy } from '#db/policies.ts'
import { Client } from '#modules/crm/index.ts'
import { Appointment } from '#modules/scheduling/index.ts'
import { StoredFile } from '#tenants/files/schema.ts'
import {
  channels,
  recordingSources,
  shareChannels,
  summaryMethods,
  summaryStatuses,
  transcriptSources,
  type Channel,
  type ShareChannel,
  type SummaryStatus,
  type TranscriptSource,
} from './fields.ts'
import { recordingStatuses } from './recordings/statuses.ts'
import type { Action, Claim, SummaryMethod, TranscriptLine } from './types.ts'

/**
 * A client's agreement to transcripts: of all their sessions, or of one. Kept after its withdrawal, as the proof of
 * both.
 */
export const RecordingConsent = defineEntity({
  name: 'RecordingConsent',
  tableName: 'recording_consent',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade').nullable(),
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade').nullable(),
    channel: p.text().$type<Channel>(),
    /** The words that they agreed to. */
    wording: p.text(),
    givenAt: p.datetime(3),
    withdrawnAt: p.datetime(3).nullable(),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('recording_consent_client', '(coach_id, client_id, id) where client_id is not null'),
    sqlIndex('recording_consent_appointment', '(coach_id, appointment_id, id) where appointment_id is not null'),
  ],
  checks: [
    check('recording_consent_client_or_appointment', 'num_nonnulls(client_id, appointment_id) = 1'),
    check('recording_consent_channel_allowed', allowedValues('channel', Object.keys(channels))),
    check('recording_consent_wording_length', `wording <> '' and ${maxLength('wording', 2000)}`),
    check('recording_consent_withdrawn_after', 'withdrawn_at >= given_at'),
  ],
  ...tenantPolicy('recording_consent'),
})
export type ConsentRow = InferEntity<typeof RecordingConsent>

/**
 * The sound or video of a session, until it is transcribed, or longer if the coach wants. Its file is deleted with it.
 */
export const SessionRecording = defineEntity({
  name: 'SessionRecording',
  tableName: 'session_recording',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade'),
    file: () => tenantReference(StoredFile, 'file_id', 'no action').nullable(),
    fileName: p.text(),
    /** Bytes. */
    size: p.bigint('number'),
    status: p.text().$type<(typeof recordingStatuses)[number]>(),
    /** Counts how often the coach has started it. */
    attempt: p.integer().default(1),
    /** At Rev.ai. */
    jobId: p.text().nullable(),
    startedAt: p.datetime(3).nullable(),
    /** Why it failed. */
    failure: p.text().nullable(),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('session_recording_appointment', '(coach_id, appointment_id)', { unique: true }),
    sqlIndex('session_recording_file', '(coach_id, file_id) where file_id is not null'),
  ],
  checks: [
    check('session_recording_status_allowed', allowedValues('status', recordingStatuses)),
    check('session_recording_size_range', 'size >= 0'),
    check('session_recording_attempt_range', 'attempt >= 1'),
    check('session_recording_file_name_length', maxLength('file_name', 255)),
    check('session_recording_job_id_length', maxLength('job_id', 255)),
    check('session_recording_failure_length', maxLength('failure', 500)),
    check('session_recording_failed', `(status = 'failed') = (failure is not null)`),
  ],
  ...tenantPolicy('session_recording'),
})

/** The search for the recording of a session, one for each session; also of one that was found. */
export const RecordingSearch = defineEntity({
  name: 'RecordingSearch',
  tableName: 'recording_search',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade'),
    /** The recording that was found, or that the coach has chosen. */
    source: p.text().nullable(),
    sourceId: p.text().nullable(),
    /** Null if it is found or given up. */
    nextAttemptAt: p.datetime(3).nullable(),
    /** The lease of the worker that searches, and when it ends. */
    claim: p.uuid().nullable(),
    claimedUntil: p.datetime(3).nullable(),
    /** Counts the attempts in a row whose worker never came back. */
    resumed: p.integer().default(0),
    /** Why the last search failed. */
    failure: p.text().nullable(),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('recording_search_appointment', '(coach_id, appointment_id)', { unique: true }),
    sqlIndex('recording_search_due', '(coach_id, next_attempt_at) where next_attempt_at is not null'),
  ],
  checks: [
    check('recording_search_source_allowed', allowedValues('source', recordingSources)),
    check('recording_search_source_id_length', maxLength('source_id', 255)),
    check('recording_search_resumed_range', 'resumed >= 0'),
    check('recording_search_failure_length', maxLength('failure', 500)),
  ],
  ...tenantPolicy('recording_search'),
})

/**
 * A recording that was sent to be transcribed, for the minutes of the plan. It outlives the recording, and has no
 * words.
 */
export const TranscriptionUsage = defineEntity({
  name: 'TranscriptionUsage',
  tableName: 'transcription_usage',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** No foreign key: the recording is deleted first. */
    recordingId: p.bigint('number'),
    attempt: p.integer(),
    minutes: p.integer(),
    sentAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('transcription_usage_recording', '(coach_id, recording_id, attempt)', { unique: true }),
    sqlIndex('transcription_usage_sent', '(coach_id, sent_at)'),
  ],
  checks: [
    check('transcription_usage_attempt_range', 'attempt >= 1'),
    check('transcription_usage_minutes_range', 'minutes >= 1'),
  ],
  ...tenantPolicy('transcription_usage'),
})

/** A recording of about the time of a session. The coach says whether it belongs to it. */
export const RecordingCandidate = defineEntity({
  name: 'RecordingCandidate',
  tableName: 'recording_candidate',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade'),
    source: p.text(),
    sourceId: p.text(),
    title: p.text(),
    startTime: p.datetime(3),
    endTime: p.datetime(3),
  },
  indexes: [sqlIndex('recording_candidate_key', '(coach_id, appointment_id, source, source_id)', { unique: true })],
  checks: [
    check('recording_candidate_source_allowed', allowedValues('source', recordingSources)),
    check('recording_candidate_source_id_length', maxLength('source_id', 255)),
    check('recording_candidate_title_length', maxLength('title', 255)),
  ],
  ...tenantPolicy('recording_candidate'),
})

/** The text of a session. One that is not in the trash for each session. */
export const SessionTranscript = defineEntity({
  name: 'SessionTranscript',
  tableName: 'session_transcript',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade'),
    source: p.text().$type<TranscriptSource>(),
    fileName: p.text().nullable(),
    lines: p.json().$type<TranscriptLine[]>().lazy(),
    lineCount: p.integer(),
    durationMs: p.integer().nullable(),
    /** The texts of the lines as the search compares them, one a line. */
    searchText: p.text().lazy(),
    /** Each word of them once: most transcripts are ruled out without reading all their text. */
    searchWords: p.text().lazy(),
    /** Bits of neighbouring words: a phrase whose words it lacks in this order isn't searched for. */
    searchGroups: p.blob().generated('(word_group_bits(search_text)) stored').nullable().lazy(),
    /** When its summary was requested; null while none is being made. */
    processingSince: p.datetime(3).nullable(),
    /** Why its last summary failed. */
    failure: p.text().nullable(),
    ...columns.trash,
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('session_transcript_appointment', '(coach_id, appointment_id) where deleted_at is null', { unique: true }),
  ],
  checks: [
    check('session_transcript_source_allowed', allowedValues('source', Object.keys(transcriptSources))),
    check('session_transcript_file_name_length', maxLength('file_name', 255)),
    check('session_transcript_line_count_range', 'line_count >= 1'),
    check('session_transcript_duration_range', 'duration_ms >= 0'),
    check('session_transcript_failure_length', maxLength('failure', 500)),
  ],
  ...tenantPolicy('session_transcript'),
})
export type TranscriptRow = InferEntity<typeof SessionTranscript>

/**
 * A session's summary. One that is not in the trash for each session. It stays without the transcript that it cites.
 */
export const SessionSummary = defineEntity({
  name: 'SessionSummary',
  tableName: 'session_summary',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointment: () => tenantReference(Appointment, 'appointment_id', 'cascade'),
    transcript: () => tenantReference(SessionTranscript, 'transcript_id', 'no action').nullable(),
    status: p.text().$type<SummaryStatus>().default('draft'),
    method: p.text().$type<SummaryMethod>(),
    /** The name of the model, and the version of the prompt. */
    model: p.text().nullable(),
    promptVersion: p.text().nullable(),
    /** SHA-256 of the lines that it was made of. */
    linesHash: p.blob(),
    overview: p.json().$type<Claim[]>(),
    takeaways: p.json().$type<Claim[]>(),
    actions: p.json().$type<Action[]>(),
    /** All of it as text, for the search and the history. */
    content: p.text(),
    approvedAt: p.datetime(3).nullable(),
    sharedAt: p.datetime(3).nullable(),
    sharedBy: p.text().$type<ShareChannel>().nullable(),
    /** The client's interaction that shows it. No foreign key: the interaction may be erased first. */
    interactionId: p.bigint('number').nullable(),
    ...columns.trash,
    ...columns.version,
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('session_summary_appointment', '(coach_id, appointment_id) where deleted_at is null', { unique: true }),
    sqlIndex('session_summary_transcript', '(coach_id, transcript_id) where transcript_id is not null'),
  ],
  checks: [
    check('session_summary_status_allowed', allowedValues('status', Object.keys(summaryStatuses))),
    check('session_summary_method_allowed', allowedValues('method', Object.keys(summaryMethods))),
    check('session_summary_model_length', maxLength('model', 255)),
    check('session_summary_prompt_version_length', maxLength('prompt_version', 60)),
    check('session_summary_shared_by_allowed', allowedValues('shared_by', Object.keys(shareChannels))),
    check('session_summary_approved', `(status = 'draft') = (approved_at is null)`),
    check('session_summary_shared', `(status = 'shared') = (shared_at is not null)`),
    check('session_summary_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('session_summary', {
    clients: {
      rows: `status = 'shared' and deleted_at is null and exists (
        select 1 from appointment a where a.coach_id = session_summary.coach_id and a.id = session_summary.appointment_id
          and a.client_id = ${currentClient})`,
    },
  }),
})
export type SummaryRow = InferEntity<typeof SessionSummary>

/** The wording of a consent, and how long transcripts and recordings are kept. At most one row for each coach. */
export const SummarySettings = defineEntity({
  name: 'SummarySettings',
  tableName: 'summary_settings',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    wording: p.text().nullable(),
    /** Days after the session; null: until they are deleted. */
    transcriptDays: p.integer().nullable(),
    /** Days after the session; null: until they are transcribed. */
    recordingDays: p.integer().nullable(),
    ...columns.timestamps,
  },
  indexes: [sqlIndex('summary_settings_coach', '(coach_id)', { unique: true })],
  checks: [
    check('summary_settings_wording_length', maxLength('wording', 2000)),
    check('summary_settings_transcript_days_range', 'transcript_days >= 1 and transcript_days <= 3650'),
    check('summary_settings_recording_days_range', 'recording_days >= 1 and recording_days <= 365'),
  ],
  ...tenantPolicy('summary_settings'),
})
