import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { SummarizerConfig } from '#tenants/config.ts'
import { countClaims, createClaimCheck, keepChecked, type ClaimCheck } from '../claims/check-claims.ts'
import { cleanText } from '../transcripts/lines.ts'
import type { Claim, SessionContext, Summarizer, SummaryContent, TranscriptLine } from '../types.ts'
import { createClient, type Complete, type Message } from './client.ts'
import { fromVendor, SummarizerError } from './errors.ts'
import { Answer, correction, promptVersion, toMergeMessages, toMessages } from './prompt.ts'
import { splitWindows } from './windows.ts'

export type ModelSummary = { content: SummaryContent; model: string; promptVersion: string }
/** `deadlineMs`: for all calls together. `pauseMs`: before a call is repeated. */
type Options = { deadlineMs?: number; pauseMs?: number }

/** The summarizer that asks a model. Throws SummarizerError. */
export const createModelSummarizer =
  (config: SummarizerConfig): Summarizer =>
  async (lines, session) => ({ ...(await summarizeWithModel(config, lines, session)), method: 'model' })

const parallelCalls = 3
const most = { overview: 6, takeaways: 12, actions: 20 }
const maxTextLength = 500

/**
 * A summary written by the configured model. A claim stays only if its lines say it. Throws SummarizerError, also if
 * no claim stays.
 */
export async function summarizeWithModel(
  config: SummarizerConfig,
  lines: TranscriptLine[],
  session: SessionContext,
  { deadlineMs = 8 * 60_000, pauseMs = 2000 }: Options = {},
): Promise<ModelSummary> {
  const controller = new AbortController()
  const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(deadlineMs)])
  const complete = createClient(config, 'summary', Answer)
  const ask = (messages: Message[], isSupported: ClaimCheck) =>
    askChecked(complete, messages, isSupported, { signal, pauseMs })
  try {
    const windows = splitWindows(lines)
    const names = [session.coachName, session.clientName]
    const parts = await mapParallel(windows, (window) =>
      ask(toMessages(window, session), createClaimCheck(window, names)),
    )
    const spoken = parts.filter((part) => countClaims(part) > 0)
    const content =
      spoken.length > 1 ? await ask(toMergeMessages(spoken, session), createClaimCheck(lines, names)) : spoken[0]
    if (!content || countClaims(content) === 0) throw new SummarizerError('refused', { code: 'unsupported' })
    return { content, model: config.model.slice(0, 255), promptVersion }
  } finally {
    // A window that failed ends the others.
    controller.abort()
  }
}

/** Asks a second time if the endpoint fails, or if no claim of its answer holds. */
async function askChecked(
  complete: Complete,
  messages: Message[],
  isSupported: ClaimCheck,
  { signal, pauseMs }: { signal: AbortSignal; pauseMs: number },
): Promise<SummaryContent> {
  const first = await attempt(messages)
  if (first instanceof SummarizerError && first.kind !== 'busy' && first.kind !== 'down') throw first
  if (!(first instanceof SummarizerError) && first.isKept) return first.content
  if (first instanceof SummarizerError)
    await pause(pauseMs, undefined, { signal }).catch((error) => Promise.reject(fromVendor(error)))
  const second = await attempt(first instanceof SummarizerError ? messages : [...messages, correction])
  if (second instanceof SummarizerError) throw second
  if (!second.isKept) throw new SummarizerError('refused', { code: 'unsupported' })
  return second.content

  async function attempt(sent: Message[]): Promise<{ content: SummaryContent; isKept: boolean } | SummarizerError> {
    try {
      const answer = parseAnswer(await complete(sent, signal))
      const content = keepChecked(answer, isSupported)
      return { content, isKept: countClaims(content) > 0 || countClaims(answer) === 0 }
    } catch (error) {
      return fromVendor(error)
    }
  }
}

/** Plain text, within limits. Throws ZodError. */
function parseAnswer(answer: unknown): SummaryContent {
  const { overview, takeaways, actions } = Answer.parse(answer)
  const isShort = ({ text }: Claim): boolean => text.length <= maxTextLength
  return {
    overview: overview.map(toClaim).filter(isShort).slice(0, most.overview),
    takeaways: takeaways.map(toClaim).filter(isShort).slice(0, most.takeaways),
    actions: actions
      .map((action) => ({ ...toClaim(action), owner: action.owner, due: toDate(action.due) }))
      .filter(isShort)
      .slice(0, most.actions),
  }
}

const toClaim = ({ text, lines, quote }: Claim): Claim => ({
  text: cleanText(text),
  lines: [...new Set(lines)].sort((a, b) => a - b),
  quote: cleanText(quote),
})

const toDate = (due: string | null): string | null => z.iso.date().safeParse(due).data ?? null

async function mapParallel<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const run = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]!)
  }
  await Promise.all(Array.from({ length: parallelCalls }, run))
  return results
}
