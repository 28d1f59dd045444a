import type { Sentence } from './sentences.ts'
import { toStem } from './wording.ts'

const shortest = 8
const longest = 40
/** Share of the sentences above which a word counts as common. */
const commonShare = 0.2
/** Pairs of words say more than the words alone. */
const pairWeight = 2
/** How much of its weight a concept keeps each time it is chosen. */
const repeated = 0.3
/** The beginning of a session names its subjects. */
const opening = 0.1
const pronouns = new Set(['i', 'you', 'me', 'my', 'your', "i'm", "i'll", "i've"])

/**
 * Chooses sentences that cover what is mentioned most often, in as few words as possible: stems and pairs of stems count
 * by the root of the number of sentences that have them. Best first; stops at `budget` words.
 */
export function chooseSentences(sentences: Sentence[], budget: number): Sentence[] {
  const concepts = sentences.map(toConcepts)
  const weights = weigh(concepts)
  const isStatement = ({ source }: Sentence): boolean => !/[?？]["'”’)\]]*$/.test(source)
  const candidates = [...sentences.keys()].filter((index) => isStatement(sentences[index]!))
  const fitting = candidates.filter((index) => isWithin(sentences[index]!.words.length, shortest, longest))
  const open = new Set(fitting.length ? fitting : candidates)
  const rate = (index: number): number => {
    const { words } = sentences[index]!
    const gain = concepts[index]!.reduce((sum, concept) => sum + (weights.get(concept) ?? 0), 0)
    const personal = words.filter((word) => pronouns.has(word)).length / words.length
    const early = Math.max(0, 1 - index / (sentences.length * opening))
    return (gain / Math.sqrt(words.length)) * (1 - personal) * (1 + early)
  }
  // Weights only shrink, so a former value is never too low.
  const highestValues = new Float64Array(sentences.length).fill(Infinity)
  const chosen: Sentence[] = []
  for (let words = 0; words < budget && open.size > 0; ) {
    let best = -1
    let highest = 0
    for (const index of open) {
      if (highestValues[index]! <= highest) continue
      const value = rate(index)
      highestValues[index] = value
      if (value > highest) [best, highest] = [index, value]
    }
    if (best < 0) break
    open.delete(best)
    chosen.push(sentences[best]!)
    words += sentences[best]!.words.length
    for (const concept of concepts[best]!) weights.set(concept, (weights.get(concept) ?? 0) * repeated)
  }
  return chosen
}

const isWithin = (value: number, min: number, max: number): boolean => value >= min && value <= max

/** The stems of a sentence and the pairs of words that both have one, each once. */
function toConcepts({ words }: Sentence): string[] {
  const stems = words.map(toStem)
  const pairs = words.flatMap((word, index) =>
    index && stems[index - 1] && stems[index] ? [`${words[index - 1]} ${word}`] : [],
  )
  return [...new Set([...stems.filter((stem) => stem !== null), ...pairs])]
}

function weigh(concepts: string[][]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const concept of concepts.flat()) counts.set(concept, (counts.get(concept) ?? 0) + 1)
  const isShort = concepts.length < 60
  const weights = new Map<string, number>()
  for (const [concept, count] of counts) {
    const isCommon = count > 10 && count > concepts.length * commonShare
    if (!isCommon && (count > 1 || isShort))
      weights.set(concept, Math.sqrt(count) * (concept.includes(' ') ? pairWeight : 1))
  }
  return weights
}
