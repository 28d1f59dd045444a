import type { TranscriptLine } from '../types.ts'
import { cleanWords, toWords } from './wording.ts'

/** A sentence that one person said, in one or several lines. */
export type Sentence = {
  speaker: string | null
  /** The numbers of its lines. */
  lines: number[]
  /** As in the transcript. */
  source: string
  /** Without filler words. */
  text: string
  /** `text` split into words, in lower case. */
  words: string[]
}

/** Sentences without punctuation, as in some automatic transcripts, are cut after this number of words. */
const maxWords = 40

export function splitSentences(lines: TranscriptLine[]): Sentence[] {
  return toTurns(lines).flatMap((turn) => {
    // Sentences and lines both go forward, so no line is looked at for each sentence.
    let first = 0
    return splitTurn(turn).flatMap(({ from, to }) => {
      const source = turn.text.slice(from, to).trim()
      const text = cleanWords(source)
      const words = toWords(text)
      if (words.length === 0) return []
      while (first < turn.parts.length && turn.parts[first]!.to <= from) first++
      const cited: number[] = []
      for (let at = first; at < turn.parts.length && turn.parts[at]!.from < to; at++) cited.push(turn.parts[at]!.n)
      return [{ speaker: turn.speaker, lines: cited, source, text, words }]
    })
  })
}

type Part = { n: number; from: number; to: number }
type Turn = { speaker: string | null; text: string; parts: Part[] }

/** Consecutive lines of one speaker as one text. */
function toTurns(lines: TranscriptLine[]): Turn[] {
  const turns: (Turn & { pieces: string[]; length: number })[] = []
  for (const { n, speaker, text } of lines) {
    let turn = turns.at(-1)
    if (!turn || turn.speaker !== speaker) {
      turn = { speaker, text: '', parts: [], pieces: [], length: 0 }
      turns.push(turn)
    }
    turn.parts.push({ n, from: turn.length, to: turn.length + text.length })
    turn.pieces.push(text)
    turn.length += text.length + 1
  }
  return turns.map(({ pieces, ...turn }) => ({ ...turn, text: pieces.join(' ') }))
}

type Range = { from: number; to: number }

function splitTurn({ text, parts }: Turn): Range[] {
  const ranges: Range[] = []
  let from = 0
  for (const end of findEnds(text)) {
    if (text[end.from] === '.' && endsWithAbbreviation(text, from, end.from)) continue
    ranges.push({ from, to: end.to })
    from = end.to
  }
  ranges.push({ from, to: text.length })
  const lineEnds = new Set(parts.map((part) => part.to))
  return ranges.flatMap((range) => cutLong(text, range, lineEnds))
}

/**
 * Marks before a space, and those of scripts without spaces anywhere. What follows is not part of the pattern: it would be
 * tried again from each mark of a long row.
 */
function* findEnds(text: string): Generator<Range> {
  for (const { index, 0: marks } of text.matchAll(/[.!?…。！？]+["'”’)\]]*/g)) {
    const to = index + marks.length
    if (to === text.length || /\s/.test(text[to]!)) yield { from: index, to }
    else for (let at = index; at < to; at++) if ('。！？'.includes(text[at]!)) yield { from: at, to: at + 1 }
  }
}

const abbreviation = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|hon|rev|st|jr|sr|vs|no|approx|e\.g|i\.e|[a-z])$/i

const endsWithAbbreviation = (text: string, from: number, to: number): boolean =>
  abbreviation.test(text.slice(Math.max(from, to - 10), to))

/** Cuts where a line ends, after a comma, or else between words. */
function cutLong(text: string, { from, to }: Range, lineEnds: Set<number>): Range[] {
  const ranges: Range[] = []
  let start = from
  let words = 0
  let best: number | null = null
  let wordsAfterBest = 0
  for (let at = from; at < to; at++) {
    if (text[at] !== ' ') continue
    words++
    wordsAfterBest++
    if (words >= maxWords / 2 && (lineEnds.has(at) || text[at - 1] === ',' || text[at - 1] === ';')) {
      best = at
      wordsAfterBest = 0
    }
    if (words < maxWords) continue
    ranges.push({ from: start, to: best ?? at })
    start = best ?? at
    words = best === null ? 0 : wordsAfterBest
    best = null
  }
  ranges.push({ from: start, to })
  return ranges
}
