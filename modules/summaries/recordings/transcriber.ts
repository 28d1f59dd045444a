import type { Readable } from 'node:stream'
import type { TranscriptLine } from '../types.ts'

/** Makes lines of sound, in the background. Its methods throw TranscriberError. */
export type Transcriber = {
  /** Sends a recording. Not idempotent: look for its metadata with `find` first if that may have happened before. */
  submit: (recording: Submission) => Promise<TranscriptionJob>
  /** The job that was submitted with `metadata`; null if there is none. */
  find: (metadata: string) => Promise<TranscriptionJob | null>
  get: (jobId: string) => Promise<TranscriptionJob>
  /** The lines of a job that is done; none if nobody speaks. */
  getLines: (jobId: string) => Promise<TranscriptLine[]>
  /** Deletes a job, with its recording and its transcript. One that was deleted already is no error. */
  delete: (jobId: string) => Promise<void>
}

export type Submission = {
  content: Readable
  fileName: string
  /** Names the job, so that it is found again if the response is lost. */
  metadata: string
  /** The address that the transcriber calls when the job ends, and the header with which it does. */
  webhook: { url: string; authorization: string } | null
}

export type TranscriptionJob = {
  id: string
  state: 'running' | 'done' | { failure: TranscriptionFailure; code: string }
  /** The length of the recording, once it is known. */
  seconds: number | null
}

/** `unavailable`: for the operator to solve, such as a balance that is used up. */
export type TranscriptionFailure = 'unreadable' | 'silent' | 'too_long' | 'unavailable' | 'other'

/**
 * `revoked`: the access has ended. `not_found`: the job does not exist. `refused`: sending it again changes nothing.
 * `busy`, `down`: it may work later.
 */
export type FailureKind = 'revoked' | 'not_found' | 'refused' | 'busy' | 'down'

/** A failed call. Has nothing of the request, which contains secrets. */
export class TranscriberError extends Error {
  override name = 'TranscriberError'
  readonly kind: FailureKind
  readonly status: number | null
  readonly code: string

  constructor(
    transcriber: string,
    kind: FailureKind,
    { status = null, code }: { status?: number | null; code: string },
  ) {
    super(`${transcriber}: ${kind} (${code})`)
    this.kind = kind
    this.status = status
    this.code = code
  }
}
