import { AppError } from '#app/lib/errors.ts'
import type { Ctx } from '#tenants/context.ts'
import { makeExtract } from '../extract/run-extract.ts'
import { SummarizerError } from '../summarizer/errors.ts'
import { summarizeWithModel } from '../summarizer/summarize.ts'
import type { SessionContext, SummaryContent, SummaryMethod, TranscriptLine } from '../types.ts'

export type MadeContent = {
  content: SummaryContent
  method: SummaryMethod
  model: string | null
  promptVersion: string | null
}

/** By the model if there is one, or else, also if it fails, an extract. Null if that fails: trying again would fail too. */
export async function makeContent(
  ctx: Ctx,
  lines: TranscriptLine[],
  session: SessionContext,
): Promise<MadeContent | null> {
  return (await writeWithModel(ctx, lines, session)) ?? extract(ctx, lines, session)
}

async function writeWithModel(
  { platform, coachId }: Ctx,
  lines: TranscriptLine[],
  session: SessionContext,
): Promise<MadeContent | null> {
  const { summarizer } = platform.config
  if (!summarizer) return null
  try {
    return { ...(await summarizeWithModel(summarizer, lines, session)), method: 'model' }
  } catch (error) {
    if (!(error instanceof SummarizerError)) throw error
    const { kind, status, code } = error
    platform.log.error({ coachId, kind, status, code }, 'the summarizer failed')
    return null
  }
}

async function extract(
  { platform, coachId }: Ctx,
  lines: TranscriptLine[],
  session: SessionContext,
): Promise<MadeContent | null> {
  try {
    return { content: await makeExtract(lines, session), method: 'extract', model: null, promptVersion: null }
  } catch (error) {
    // The job is tried again.
    if (error instanceof AppError) throw error
    platform.log.error({ err: error, coachId }, 'a summary could not be made')
    return null
  }
}
