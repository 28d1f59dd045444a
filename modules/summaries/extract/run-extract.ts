import { createChildProgram } from '#app/lib/child-program.ts'
import { AppError } from '#app/lib/errors.ts'
import type { ParsedTranscript } from '../transcripts/parse.ts'
import type { SessionContext, Summarizer, SummaryContent, TranscriptLine } from '../types.ts'
import type { ExtractRequest, ExtractResult } from './extract-process.ts'

// Hours of speech take seconds of CPU time: in a process of their own nobody else waits for them.

const file = 'modules/summaries/extract/extract-process.ts'
const busy = (): AppError =>
  new AppError('unavailable', 'Too many transcripts are being read. Please try again in a moment.', {
    headers: { 'Retry-After': '5' },
  })
const shared = { file, memory: 300, idle: 30_000, busy }

/** A transaction waits for it, and ends after 30 seconds without a statement. */
const read = createChildProgram<ExtractRequest, ExtractResult>({ ...shared, timeout: 18_000, waitMs: 8_000 })
const extract = createChildProgram<ExtractRequest, ExtractResult>({ ...shared, timeout: 60_000, waitMs: 60_000 })

/** As `parseTranscript`. Throws unavailable, too. */
export async function readTranscript(content: string | Uint8Array, { field = 'file' } = {}): Promise<ParsedTranscript> {
  const result = await read({ kind: 'parse', content }).catch((error: unknown) => {
    if (error instanceof AppError) throw error
    return { error: 'This transcript can’t be read.', isInput: true }
  })
  if ('parsed' in result) return result.parsed
  if ('error' in result && result.isInput) throw new AppError('validation_failed', result.error, { field })
  throw new Error('A transcript could not be read.', { cause: result })
}

/** As `extractSummary`. Throws unavailable, too. */
export async function makeExtract(lines: TranscriptLine[], session: SessionContext): Promise<SummaryContent> {
  const result = await extract({ kind: 'extract', lines, session })
  if ('content' in result) return result.content
  throw new Error('A summary could not be made.', { cause: result })
}

/** The summarizer that needs no service. Throws unavailable. */
export const extractSummarizer: Summarizer = async (lines, session) => ({
  content: await makeExtract(lines, session),
  method: 'extract',
  model: null,
  promptVersion: null,
})
