import { maxQuoteLength, type Claim, type SessionContext, type SummaryContent, type TranscriptLine } from '../types.ts'
import { createClaimCheck, keepChecked } from '../claims/check-claims.ts'
import { findActions } from './actions.ts'
import { chooseSentences } from './choose.ts'
import { splitSentences, type Sentence } from './sentences.ts'

/** Words of the overview and of overview and takeaways together. */
const budgets = { overview: 45, total: 150 }

/**
 * A summary made of sentences of the transcript, each with its lines: nothing is rephrased, filler words are left out.
 * Actions are commitments, with owner and due date where they are mentioned.
 */
export function extractSummary(lines: TranscriptLine[], session: SessionContext): SummaryContent {
  const sentences = splitSentences(lines)
  const actions = findActions(sentences, session)
  const taken = new Set(actions.map(({ sentence }) => sentence))
  const others = sentences.filter((sentence) => !taken.has(sentence))
  const words = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0)
  // A short transcript gets a third of its words.
  const chosen = chooseSentences(others, Math.min(budgets.total, Math.ceil(words / 3)))
  const inOverview = chosen.slice(0, countUntil(chosen, budgets.overview))
  const order = new Map(sentences.map((sentence, index) => [sentence, index]))
  const sorted = (some: Sentence[]): Claim[] =>
    some.toSorted((a, b) => order.get(a)! - order.get(b)!).map((sentence) => toClaim(sentence))
  const content = {
    overview: sorted(inOverview),
    takeaways: sorted(chosen.slice(inOverview.length)),
    actions: actions.map(({ sentence, owner, due }) => ({ ...toClaim(sentence), owner, due })),
  }
  return keepChecked(content, createClaimCheck(lines))
}

function countUntil(sentences: Sentence[], budget: number): number {
  let words = 0
  let count = 0
  while (count < sentences.length && words < budget) words += sentences[count++]!.words.length
  return count
}

function toClaim({ text, lines, source }: Sentence): Claim {
  if (source.length <= maxQuoteLength) return { text, lines, quote: source }
  const space = source.lastIndexOf(' ', maxQuoteLength)
  return { text, lines, quote: source.slice(0, space > 0 ? space : maxQuoteLength).toWellFormed() }
}
