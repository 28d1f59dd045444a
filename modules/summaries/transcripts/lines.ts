import { transcriptLimits, type TranscriptLine } from '../types.ts'

/** Something said, before it is cleaned, numbered and, if it is very long, divided. */
export type Turn = Omit<TranscriptLine, 'n'>

export const maxSpeakerLength = 60

/** Cleans the turns, drops empty ones, divides long ones and numbers them from 1. */
export function toLines(turns: Turn[]): TranscriptLine[] {
  const lines: TranscriptLine[] = []
  for (const { speaker, startMs, endMs, text } of turns) {
    const cleaned = cleanText(text)
    const toTime = (at: number): number => Math.round(startMs! + ((endMs! - startMs!) * at) / cleaned.length)
    const isTimed = startMs !== null && endMs !== null
    for (const { from, piece } of divide(cleaned, transcriptLimits.lineCharacters))
      lines.push({
        n: lines.length + 1,
        speaker: speaker === null ? null : cleanSpeaker(speaker),
        startMs: isTimed ? toTime(from) : null,
        endMs: isTimed ? toTime(from + piece.length) : null,
        text: piece,
      })
  }
  return lines
}

/** Text in one line, without control characters and marks that change the direction of writing. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, '')
    .trim()
}

/** A name without what separates it from the text in exports. Null if nothing is left. */
export function cleanSpeaker(name: string): string | null {
  const cleaned = cleanText(name.replace(/[:<>[\]]+/g, ' '))
  return cleaned.slice(0, maxSpeakerLength).toWellFormed().trim() || null
}

/** Pieces of at most `max` characters, cut after a sentence or else between words. */
function divide(text: string, max: number): { from: number; piece: string }[] {
  const pieces: { from: number; piece: string }[] = []
  let from = 0
  while (text.length - from > max) {
    const part = text.slice(from, from + max + 1)
    const sentence = Math.max(...['. ', '? ', '! '].map((end) => part.lastIndexOf(end) + 1))
    const space = sentence > max / 2 ? sentence : part.lastIndexOf(' ')
    const cut = space > 0 ? space : isLowSurrogate(part.charCodeAt(max)) ? max - 1 : max
    pieces.push({ from, piece: part.slice(0, cut) })
    from += space > 0 ? cut + 1 : cut
  }
  if (from < text.length) pieces.push({ from, piece: text.slice(from) })
  return pieces
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff
