import { createClaimCheck } from '../claims/check-claims.ts'
import { extractSummary } from '../extract/extract.ts'
import { splitSentences } from '../extract/sentences.ts'
import type { Claim, SummaryContent, TranscriptLine } from '../types.ts'
import { rankSentences, takeFirst } from './baselines.ts'
import { readMeetings, type Meeting } from './meetings.ts'
import { measureRouge, toTokens, type Rouge } from './rouge.ts'

type Row = { workload: string; product: string; baseline?: string; ratio?: string; goal: string; met: boolean }

/** The rows of `npm run bench` for summaries. Null if `folder` has no meetings. */
export function measureSummaries(folder: string): Row[] | null {
  const meetings = readMeetings(folder)
  if (!meetings) return null
  const { claims, unsupported } = checkCitations(meetings)
  const slowest = Math.max(...meetings.map(measureHour))
  return [
    ...compare('one half', takeHalf(meetings, 0)),
    ...compare('the other half', takeHalf(meetings, 1)),
    {
      workload: 'Claims of extracts whose citation exists and says it',
      product: `${claims - unsupported.length} of ${claims}`,
      goal: 'all',
      met: claims > 0 && unsupported.length === 0,
    },
    {
      workload: 'Extract of a transcript of one hour, slowest of all',
      product: `${slowest.toFixed(0)} ms`,
      goal: '≤ 1000 ms',
      met: slowest <= 1000,
    },
  ]
}

function takeHalf(meetings: Meeting[], half: 0 | 1): Meeting[] {
  return meetings.filter((_, index) => index % 2 === half)
}

function compare(half: string, meetings: Meeting[]): Row[] {
  const { extract, ...others } = compareMethods(meetings)
  return Object.entries(metrics).flatMap(([metric, title]) =>
    Object.entries(labels).map(([method, label]) => {
      const ours = extract[metric as keyof Rouge]
      const theirs = others[method as keyof typeof others][metric as keyof Rouge]
      return {
        workload: `${title} of ${half} of the meetings, against ${label}`,
        product: ours.toFixed(1),
        baseline: theirs.toFixed(1),
        ratio: (ours / theirs).toFixed(2),
        goal: '> 1',
        met: ours > theirs,
      }
    }),
  )
}

export type Method = 'extract' | 'firstThree' | 'first' | 'textRank'
/** The mean of the F1 of all meetings, in percent. */
export type Scores = Record<Method, Rouge>
const metrics: Record<keyof Rouge, string> = { rouge1: 'ROUGE-1', rouge2: 'ROUGE-2', rougeL: 'ROUGE-L' }
const labels: Record<Exclude<Method, 'extract'>, string> = {
  firstThree: 'the first three sentences',
  first: 'the first sentences, same length',
  textRank: 'TextRank, same length',
}
const methods: Method[] = ['extract', 'firstThree', 'first', 'textRank']
const session = { date: '2026-03-11', coachName: '', clientName: '' }

/** Compares the extract with summaries that have as many words. `firstThree`: the first three sentences, mostly shorter. */
export function compareMethods(meetings: Meeting[]): Scores {
  const scores = meetings.map(({ lines, reference }) => {
    const summary = toSummaryText(extractSummary(lines, session))
    const words = summary.split(' ').length
    const sentences = splitSentences(lines).map(({ source }) => source)
    const texts: Record<Method, string> = {
      extract: summary,
      firstThree: takeFirst(sentences.slice(0, 3), words),
      first: takeFirst(sentences, words),
      textRank: rankSentences(sentences, words),
    }
    return toRecord((method) => measureRouge(texts[method], reference))
  })
  return toRecord((method) => ({
    rouge1: toPercent(scores.map((score) => score[method].rouge1)),
    rouge2: toPercent(scores.map((score) => score[method].rouge2)),
    rougeL: toPercent(scores.map((score) => score[method].rougeL)),
  }))
}

export const toSummaryText = ({ overview, takeaways }: SummaryContent): string =>
  [...overview, ...takeaways].map(({ text }) => text).join(' ')

function toRecord<Value>(get: (method: Method) => Value): Record<Method, Value> {
  return Object.fromEntries(methods.map((method) => [method, get(method)])) as Record<Method, Value>
}

const toPercent = (values: number[]): number => (100 * values.reduce((sum, value) => sum + value, 0)) / values.length

/** Claims of the meetings' extracts, and those whose lines don't exist, don't have the quote, or don't say it. */
export function checkCitations(meetings: Meeting[]): { claims: number; unsupported: Claim[] } {
  const results = meetings.map(({ lines }) => {
    const { overview, takeaways, actions } = extractSummary(lines, session)
    const claims: Claim[] = [...overview, ...takeaways, ...actions]
    const isSupported = createClaimCheck(lines)
    return { claims, unsupported: claims.filter((claim) => !isSupported(claim) || !isVerbatim(claim, lines)) }
  })
  return {
    claims: results.flatMap(({ claims }) => claims).length,
    unsupported: results.flatMap(({ unsupported }) => unsupported),
  }
}

/** Whether each word of the claim is in its lines, in the same order. */
export function isVerbatim({ text, lines: cited }: Claim, lines: TranscriptLine[]): boolean {
  const tokens = toTokens(cited.map((n) => lines.find((line) => line.n === n)?.text ?? '').join(' '))
  let at = 0
  for (const token of toTokens(text)) {
    const found = tokens.indexOf(token, at)
    if (found < 0) return false
    at = found + 1
  }
  return true
}

/** Milliseconds for the extract of an hour of speech, 9,000 words, by repeating a meeting. */
function measureHour(meeting: Meeting): number {
  const hour: TranscriptLine[] = []
  for (let words = 0; words < 9000; )
    for (const line of meeting.lines) {
      words += line.text.split(' ').length
      hour.push({ ...line, n: hour.length + 1 })
    }
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now()
    extractSummary(hour, session)
    return performance.now() - startedAt
  })
  return Math.max(...times)
}
