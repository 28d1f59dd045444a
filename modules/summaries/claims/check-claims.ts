import { toStem } from '../extract/wording.ts'
import { maxQuoteLength, type Claim, type SummaryContent, type TranscriptLine } from '../types.ts'

/** A quote of one or two words is found in almost any line. */
const minQuoteWords = 3
/** Claims cite a moment, not the whole session. */
const maxLines = 50

/** The share of a text's content words that its lines have. The rest may be other words for the same. */
const minShare = 1 / 3

/**
 * Whether a claim's lines exist and its quote is in them, and also its text's numbers, names and a third of its content words.
 * Case, punctuation and spaces don't matter.
 */
export type ClaimCheck = (claim: Claim) => boolean

/** `names`: of the coach and the client, which a text may mention though nobody says them. */
export function createClaimCheck(lines: TranscriptLine[], names: string[] = []): ClaimCheck {
  const byNumber = new Map(lines.map((line) => [line.n, line]))
  const people = new Set(['coach', 'client', ...toSet([...names, ...lines.map(({ speaker }) => speaker ?? '')])])
  return ({ text, lines: cited, quote }) => {
    if (!text.trim() || cited.length === 0 || cited.length > maxLines || quote.length > maxQuoteLength) return false
    if (!cited.every((n) => byNumber.has(n))) return false
    if (!isTextSupported(text, toSet(cited.map((n) => byNumber.get(n)!.text)), people)) return false
    const words = normalize(quote)
    const passages = toPassages(cited).map((numbers) => normalize(numbers.map((n) => byNumber.get(n)!.text).join(' ')))
    if (words.trim() === '') return false
    if (countWords(words) < minQuoteWords) return passages.includes(words)
    return passages.some((passage) => passage.includes(words))
  }
}

function isTextSupported(text: string, citedWords: Set<string>, people: Set<string>): boolean {
  const isKnown = (word: string): boolean => citedWords.has(word) || people.has(word)
  const numbers = [...toSet([text])].filter((word) => /\p{N}/u.test(word))
  // The first word of a sentence is capitalized whatever it is.
  const capitalized = [...text.matchAll(/(?<=[^.!?…:\s]["'”’)\]]?\s)["'“‘(]?(\p{Lu}[\p{L}\p{M}]+)/gu)].map(
    ([, word]) => word!,
  )
  if (![...numbers, ...toSet(capitalized)].every(isKnown)) return false
  const content = [...toSet([text])].filter((word) => !people.has(word)).flatMap((word) => toStem(word) ?? [])
  const stems = new Set([...citedWords].flatMap((word) => toStem(word) ?? []))
  return content.filter((stem) => stems.has(stem)).length >= content.length * minShare
}

const toSet = (texts: string[]): Set<string> =>
  new Set(texts.flatMap((text) => normalize(text).trim().split(' ')).filter(Boolean))

/** The summary without the claims that fail. */
export function keepChecked(content: SummaryContent, isSupported: ClaimCheck): SummaryContent {
  return {
    overview: content.overview.filter(isSupported),
    takeaways: content.takeaways.filter(isSupported),
    actions: content.actions.filter(isSupported),
  }
}

export const countClaims = ({ overview, takeaways, actions }: SummaryContent): number =>
  overview.length + takeaways.length + actions.length

/** Runs of consecutive lines: a quote may go on in the next line. */
function toPassages(cited: number[]): number[][] {
  const passages: number[][] = []
  for (const n of [...new Set(cited)].sort((a, b) => a - b)) {
    const last = passages.at(-1)
    if (last?.at(-1) === n - 1) last.push(n)
    else passages.push([n])
  }
  return passages
}

/** The words with a space on both sides. */
function normalize(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    // In scripts without spaces, each character counts as a word.
    .replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu, ' $& ')
    .replace(/['’‘]/g, '')
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  return ` ${words?.join(' ') ?? ''} `
}

const countWords = (normalized: string): number => normalized.trim().split(' ').length
