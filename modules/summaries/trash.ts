import type { RecordKind } from '#modules/core/manifest.ts'
import { isSessionInTrash, sessionTitleSql } from '#modules/scheduling/index.ts'
import { channels, shareChannels, summaryStatuses } from './fields.ts'
import { consent, summary, transcript } from './records.ts'
import { restoreSummary } from './services/summaries.ts'
import { restoreTranscript } from './services/transcripts.ts'

export const recordKinds: RecordKind[] = [
  transcript.recordKind({
    permission: 'summaries:transcript',
    title: `'Transcript of ' || ${sessionTitleSql('r')}`,
    to: `'/session-summaries/' || r.appointment_id`,
    hidden: isSessionInTrash('r'),
    fields: { file_name: 'File', line_count: 'Lines' },
    restore: restoreTranscript,
    eraseNote: 'The summary stays, but can no longer show where it comes from.',
  }),
  summary.recordKind({
    permission: 'summaries:summary',
    title: `'Summary of ' || ${sessionTitleSql('r')}`,
    to: `'/session-summaries/' || r.appointment_id`,
    hidden: isSessionInTrash('r'),
    fields: {
      content: 'Summary',
      status: { label: 'Status', valueLabels: summaryStatuses },
      approved_at: { label: 'Approved', as: 'time' },
      shared_at: { label: 'Shared', as: 'time' },
      shared_by: { label: 'Shared how', valueLabels: shareChannels },
    },
    restore: restoreSummary,
  }),
  consent.recordKind({
    permission: 'summaries:consent',
    title: `'Consent'`,
    to: `case when r.appointment_id is null then '/clients/' || r.client_id else '/session-summaries/' || r.appointment_id end`,
    fields: {
      channel: { label: 'How they agreed', valueLabels: channels },
      given_at: { label: 'Given', as: 'time' },
      withdrawn_at: { label: 'Withdrawn', as: 'time' },
      client_id: { label: 'All sessions of', of: 'client' },
      appointment_id: { label: 'Session', of: 'appointment' },
    },
  }),
]
