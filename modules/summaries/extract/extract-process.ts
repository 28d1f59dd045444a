import { serveRequests } from '#app/lib/child-program.ts'
import { AppError } from '#app/lib/errors.ts'
import { parseTranscript, type ParsedTranscript } from '../transcripts/parse.ts'
import type { SessionContext, SummaryContent, TranscriptLine } from '../types.ts'
import { extractSummary } from './extract.ts'

// The program of the process that `run-extract.ts` starts: reads transcripts and chooses their sentences.

export type ExtractRequest =
  | { kind: 'parse'; content: string | Uint8Array }
  | { kind: 'extract'; lines: TranscriptLine[]; session: SessionContext }
export type ExtractResult =
  | { parsed: ParsedTranscript }
  | { content: SummaryContent }
  | { error: string; isInput: boolean }

serveRequests((request: ExtractRequest): ExtractResult => {
  try {
    return request.kind === 'parse'
      ? { parsed: parseTranscript(request.content) }
      : { content: extractSummary(request.lines, request.session) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error), isInput: error instanceof AppError }
  }
})
