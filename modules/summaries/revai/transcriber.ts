import type { Config, RevAiConfig } from '#tenants/config.ts'
import type { Transcriber, TranscriptionFailure, TranscriptionJob } from '../recordings/transcriber.ts'
import { deleteJob, findJob, getJob, getTranscript, submitRecording, type RevAiJob } from './client.ts'
import { readLines } from './to-lines.ts'

/** The transcriber of this installation; null without one. */
export const findTranscriber = ({ revai }: Config): Transcriber | null => (revai ? createRevAi(revai) : null)

function createRevAi(config: RevAiConfig): Transcriber {
  return {
    submit: async (recording) => toJob(await submitRecording(config, recording)),
    find: async (metadata) => {
      const job = await findJob(config, metadata)
      return job && toJob(job)
    },
    get: async (id) => toJob(await getJob(config, id)),
    getLines: async (id) => readLines(await getTranscript(config, id)),
    delete: (id) => deleteJob(config, id),
  }
}

function toJob({ id, status, failure, duration_seconds: seconds }: RevAiJob): TranscriptionJob {
  const code = failure ?? ''
  const failed = { failure: failures[code] ?? 'other', code }
  const state = status === 'failed' ? failed : status === 'transcribed' ? 'done' : 'running'
  return { id, state, seconds: seconds ?? null }
}

const failures: Record<string, TranscriptionFailure> = {
  invalid_media: 'unreadable',
  empty_media: 'silent',
  duration_too_short: 'silent',
  duration_exceeded: 'too_long',
  insufficient_balance: 'unavailable',
  invoicing_limit_exceeded: 'unavailable',
}
