import { assertMerge, reassignProspect } from '#modules/crm/index.ts'
import { assertAttendeeChange, followCompletion, sessionCompleted } from '#modules/scheduling/index.ts'
import { subscribe } from '../core/events.ts'
import { implementHook, lookForRecordings } from '../core/hooks.ts'
import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { searchOperations } from './detection/api.ts'
import { bringForward, searchCompleted } from './detection/search.ts'
import { conversionQueue, jobs } from './jobs.ts'
import { summaryApproved } from './events.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { practiceExport } from './practice-export.ts'
import { recordingOperations } from './recordings/api.ts'
import {
  RecordingCandidate,
  RecordingConsent,
  RecordingSearch,
  SessionRecording,
  SessionSummary,
  SessionTranscript,
  SummarySettings,
  TranscriptionUsage,
} from './schema.ts'
import { search } from './search.ts'
import { assertSameConsent } from './services/merge.ts'
import { seed } from './seed.ts'
import { assertNoSessionContent } from './services/attendee-change.ts'
import { eraseWithoutConsent } from './services/erase.ts'
import { summarizeCompleted } from './services/generation.ts'
import { recordKinds } from './trash.ts'

export default defineModule({
  id: 'summaries',
  title: 'Session notes',
  dependsOn: ['crm', 'scheduling'],
  entities: [
    RecordingConsent,
    RecordingSearch,
    RecordingCandidate,
    SessionRecording,
    SessionTranscript,
    SessionSummary,
    SummarySettings,
    TranscriptionUsage,
  ],
  publishedEvents: [{ event: summaryApproved, label: 'Session summary approved' }],
  migrations,
  permissions,
  operations: [...operations, ...recordingOperations, ...searchOperations],
  routes: [
    { path: 'session-summaries', file: 'routes/session-summaries.tsx' },
    { path: 'session-summaries/:id', file: 'routes/session.tsx', uploads: true },
    { path: 'session-summaries/:id/edit', file: 'routes/edit-summary.tsx' },
    { path: 'session-summaries/:id/export', file: 'routes/export.ts', layout: 'resource', isPrivate: true },
    { path: 'revai/webhooks/jobs', file: 'routes/revai-webhook.ts', layout: 'resource' },
    { path: 'settings/session-notes', file: 'routes/settings.tsx' },
    { path: 'summary/:token', file: 'routes/shared-summary.tsx', layout: 'public' },
  ],
  nav: [
    {
      label: 'Session Notes',
      to: '/session-summaries',
      otherPaths: ['/history/session_transcript', '/history/session_summary', '/history/recording_consent'],
      icon: 'notebook-pen',
      section: 'main',
      order: 80,
      permission: 'summaries:summary:read',
    },
  ],
  clientRecords: [{ table: 'recording_consent', label: ['consent', 'consents'] }],
  recordKinds,
  search,
  contributions,
  hooks: [
    implementHook('summaries', assertAttendeeChange, assertNoSessionContent),
    implementHook('summaries', assertMerge, assertSameConsent),
    implementHook('summaries', lookForRecordings, bringForward),
    // In the same transaction: the next page says that it is looked for.
    implementHook('summaries', followCompletion, searchCompleted),
    // In a job: a visitor who becomes a client by paying may not write summaries.
    implementHook('summaries', reassignProspect, (ctx, { clientId }) =>
      ctx.enqueue(conversionQueue, { coachId: ctx.coachId, clientId }),
    ),
  ],
  beforeErase: [{ kind: 'appointment', run: eraseWithoutConsent }],
  subscribers: [subscribe('summaries', sessionCompleted, summarizeCompleted)],
  jobs,
  seed,
  practiceExport,
})
