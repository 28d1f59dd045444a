import { AppError } from '#app/lib/errors.ts'
import { transcriptLimits as limits, type TranscriptLine } from '../types.ts'
import { parseCaptions } from './captions.ts'
import { toLines } from './lines.ts'
import { parsePlainText } from './plain-text.ts'

export type TranscriptFormat = 'vtt' | 'srt' | 'text'
export type ParsedTranscript = {
  format: TranscriptFormat
  lines: TranscriptLine[]
  /** Captions whose times can't be read. Their text is kept. */
  unreadableTimes: number
}

/** A caption has up to ten, and several captions may become one line. */
const maxFileLines = 10 * limits.lines

/**
 * Reads a transcript: WebVTT, SubRip or plain text, recognized by its content. Throws validation_failed at `field` with a
 * message for the coach.
 */
export function parseTranscript(input: string | Uint8Array, { field = 'file' } = {}): ParsedTranscript {
  const fail = (message: string): never => {
    throw new AppError('validation_failed', message, { field })
  }
  const failForLines = (): never =>
    fail(`This transcript has too many lines. Upload at most ${limits.lines.toLocaleString('en')} lines.`)
  if (input.length > limits.bytes) fail('This transcript is too large. Upload at most 5 MB of text.')
  const content = typeof input === 'string' ? input.replace(/^\ufeff/, '') : decodeText(input)
  if (!content.trim()) fail('This transcript is empty.')
  const problem = findForeignFormat(content)
  if (problem) fail(problem)
  // Before each of millions of lines is looked at.
  if (hasMoreLines(content, maxFileLines)) failForLines()
  const format = detectFormat(content)
  const { turns, unreadableTimes } =
    format === 'text' ? { turns: parsePlainText(content), unreadableTimes: 0 } : parseCaptions(content, format)
  const lines = toLines(turns)
  if (lines.length === 0) fail('No text was found in this transcript.')
  if (lines.length > limits.lines) failForLines()
  if (lines.reduce((total, { text }) => total + text.length, 0) > limits.characters)
    fail('This transcript is too long. Upload the transcript of a single session.')
  return { format, lines, unreadableTimes }
}

function hasMoreLines(content: string, max: number): boolean {
  let count = 0
  for (let at = content.indexOf('\n'); at >= 0 && count <= max; at = content.indexOf('\n', at + 1)) count++
  return count > max
}

/** UTF-8, UTF-16 with a byte order mark, or else Windows-1252. */
function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** A message for what is not a transcript as text, or null. */
function findForeignFormat(content: string): string | null {
  const start = content.slice(0, 500).trimStart()
  if (/^PK\u0003\u0004|^\u00d0\u00cf\u0011/.test(start) || start.startsWith('{\\rtf'))
    return 'This is a document of a word processor. Save it as plain text and upload that file.'
  if (start.startsWith('%PDF-')) return 'This is a PDF. Save the transcript as text, VTT or SRT and upload that file.'
  if (/^<(?:!doctype|html|\?xml)/i.test(start)) return 'This is a web page. Upload the transcript as text, VTT or SRT.'
  if (content.includes('\0')) return 'This file is not text. Upload the transcript as text, VTT or SRT.'
  return null
}

function detectFormat(content: string): TranscriptFormat {
  if (/^WEBVTT(?:\s|$)/.test(content)) return 'vtt'
  return /^[ \t]*[\d:.,]{4,20}[ \t]*-->/m.test(content.slice(0, 100_000)) ? 'srt' : 'text'
}
