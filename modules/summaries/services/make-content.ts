import { AppError } from '#app/lib/errors.ts'
import type { Ctx } from '#tenants/context.ts'
import { extractSummarizer } from '../extract/run-extract.ts'
import { SummarizerError } from '../summarizer/errors.ts'
import { createModelSummarizer } from '../summarizer/summarize.ts'
import type { MadeContent, SessionContext, Summarizer, TranscriptLine } from '../types.ts'

/**
 * By the model if there is one, or else, also if it fails, an extract. Null if that fails: trying again would fail too. Throws
 * unavailable.
 */
export async function makeContent(
  ctx: Ctx,
  lines: TranscriptLine[],
  session: SessionContext,
): Promise<MadeContent | null> {
  for (const summarizer of listSummarizers(ctx)) {
    const made = await summarizer(lines, session).catch((error: unknown) => logFailure(ctx, error))
    if (made) return made
  }
  return null
}

function listSummarizers({ platform }: Ctx): Summarizer[] {
  const { summarizer } = platform.config
  return [...(summarizer ? [createModelSummarizer(summarizer)] : []), extractSummarizer]
}

function logFailure({ platform, coachId }: Ctx, error: unknown): null {
  // Too many transcripts are being read: the job is tried again.
  if (error instanceof AppError) throw error
  if (error instanceof SummarizerError) {
    const { kind, status, code } = error
    platform.log.error({ coachId, kind, status, code }, 'the summarizer failed')
  } else platform.log.error({ err: error, coachId }, 'a summary could not be made')
  return null
}
