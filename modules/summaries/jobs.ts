import { ignoreNotFound } from '#app/lib/errors.ts'
import type { Job } from '#modules/core/manifest.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { deleteUpload } from '#tenants/files/uploads.ts'
import { keepFoundSound, keepSoundQueue } from './detection/keep-sound.ts'
import { pollSearches, runSearch } from './detection/run-search.ts'
import { searchQueue } from './detection/search.ts'
import { deleteOldRecordings, deleteOrphanedRecordings } from './recordings/erase.ts'
import { queues } from './recordings/queue.ts'
import { collect, deleteJob, poll, transcribe } from './recordings/transcribe.ts'
import { generateQueue, makeSummary, releaseTranscripts } from './services/generation.ts'
import { addApprovedToClient } from './services/summaries.ts'
import { deleteOldTranscripts } from './services/settings.ts'
import { emailQueue, emailSummary } from './sharing/email.ts'

export const conversionQueue = 'summaries.add-to-client'

export const jobs: Job[] = [
  {
    name: generateQueue,
    concurrency: 2,
    run: (platform, { coachId, appointmentId }) =>
      makeSummary(platform, { coachId: Number(coachId), appointmentId: Number(appointmentId) }),
  },
  {
    name: emailQueue,
    kind: 'email',
    // The mail server may be away for eight hours.
    retryLimit: 40,
    run: (platform, { coachId, summaryId }) =>
      emailSummary(platform, { coachId: Number(coachId), summaryId: Number(summaryId) }),
  },
  {
    name: conversionQueue,
    keepsData: true,
    run: async (platform, { coachId, clientId }) => {
      const ctx = await loadCoachContext(platform, Number(coachId), `client-${String(clientId)}`)
      await ctx?.write((tx) => addApprovedToClient(tx, Number(clientId)))
    },
  },
  // About ten hours.
  {
    name: queues.transcribe,
    concurrency: 2,
    retryLimit: 40,
    // Longer than sending may take: a second attempt would send the recording again.
    expireInSeconds: 7200,
    run: (platform, { coachId, recordingId }) =>
      transcribe(platform, { coachId: Number(coachId), recordingId: Number(recordingId) }),
  },
  {
    name: queues.collect,
    run: (platform, { coachId, recordingId }) =>
      collect(platform, { coachId: Number(coachId), recordingId: Number(recordingId) }),
  },
  {
    name: queues.deleteUpload,
    keepsData: true,
    run: async (platform, { coachId, uploadId }) => {
      const ctx = await loadCoachContext(platform, Number(coachId), `upload-${String(uploadId)}`)
      // The coach may have discarded it.
      await ctx?.write((tx) => deleteUpload(tx, Number(uploadId))).catch(ignoreNotFound)
    },
  },
  {
    name: queues.deleteJob,
    keepsData: true,
    retryLimit: 40,
    run: (platform, { jobId }) => deleteJob(platform, String(jobId)),
  },
  {
    name: searchQueue,
    concurrency: 2,
    // Longer than a download may take.
    expireInSeconds: 3600,
    run: (platform, { coachId, appointmentId }) =>
      runSearch(platform, { coachId: Number(coachId), appointmentId: Number(appointmentId) }),
  },
  {
    name: keepSoundQueue,
    // It may be ready hours after the transcript.
    retryLimit: 20,
    expireInSeconds: 3600,
    run: (platform, { coachId, appointmentId }) =>
      keepFoundSound(platform, { coachId: Number(coachId), appointmentId: Number(appointmentId) }),
  },
  { name: 'summaries.poll-searches', every: '*/5 * * * *', run: pollSearches },
  { name: 'summaries.poll-recordings', every: '*/10 * * * *', run: poll },
  {
    name: 'summaries.delete-orphaned-recordings',
    keepsData: true,
    every: '*/10 * * * *',
    run: deleteOrphanedRecordings,
  },
  { name: 'summaries.release-transcripts', every: '*/10 * * * *', run: releaseTranscripts },
  { name: 'summaries.delete-old-recordings', keepsData: true, every: '39 3 * * *', run: deleteOldRecordings },
  { name: 'summaries.delete-old', keepsData: true, every: '37 3 * * *', run: deleteOldTranscripts },
]
