// The summaries with which the extract is compared. Both are cut at the same number of words.
import { toTokens } from './rouge.ts'

/** The sentences from the beginning. */
export const takeFirst = (sentences: string[], words: number): string => cut(sentences, words)

/**
 * TextRank (Mihalcea and Tarau, 2004): the sentences that share most words with others that do, in the order of the
 * text.
 */
export function rankSentences(sentences: string[], words: number): string {
  const tokens = sentences.map((sentence) => toTokens(sentence))
  const scores = rank(tokens)
  const best = [...sentences.keys()].sort((a, b) => scores[b]! - scores[a]!)
  let length = 0
  const chosen = best.filter((index) => {
    const isChosen = length < words
    if (isChosen) length += tokens[index]!.length
    return isChosen
  })
  return cut(
    chosen.sort((a, b) => a - b).map((index) => sentences[index]!),
    words,
  )
}

function rank(sentences: string[][]): Float64Array {
  const edges = toEdges(sentences)
  const totals = new Float64Array(sentences.length)
  for (const { from, to, weight } of edges) {
    totals[from]! += weight
    totals[to]! += weight
  }
  let scores = new Float64Array(sentences.length).fill(1)
  for (let round = 0; round < 50; round++) {
    const next = new Float64Array(sentences.length).fill(0.15)
    for (const { from, to, weight } of edges) {
      next[to]! += (0.85 * weight * scores[from]!) / totals[from]!
      next[from]! += (0.85 * weight * scores[to]!) / totals[to]!
    }
    scores = next
  }
  return scores
}

type Edge = { from: number; to: number; weight: number }

/** The similarity of the paper: common words, divided by the logarithms of both lengths. */
function toEdges(sentences: string[][]): Edge[] {
  const sets = sentences.map((tokens) => new Set(tokens))
  const edges: Edge[] = []
  for (let from = 0; from < sentences.length; from++)
    for (let to = from + 1; to < sentences.length; to++) {
      let common = 0
      for (const token of sets[from]!) if (sets[to]!.has(token)) common++
      const norm = Math.log(sentences[from]!.length) + Math.log(sentences[to]!.length)
      if (common > 0 && norm > 0) edges.push({ from, to, weight: common / norm })
    }
  return edges
}

function cut(sentences: string[], words: number): string {
  return sentences.join(' ').split(/\s+/).slice(0, words).join(' ')
}
