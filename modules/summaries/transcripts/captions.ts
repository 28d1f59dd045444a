import { createLabelReader, toSpeaker, type Labelled } from './labels.ts'
import type { Turn } from './lines.ts'
import { parseTime } from './times.ts'

type Cue = { startMs: number | null; endMs: number | null; payload: string[] }
export type Captions = { turns: Turn[]; unreadableTimes: number }

/** The end of the identifier of a cue whose times are not known. */
export const untimedMark = 'without time'

/** Reads WebVTT or SubRip. A cue whose times can't be read keeps its text. */
export function parseCaptions(content: string, format: 'vtt' | 'srt'): Captions {
  const { cues, unreadableTimes } = readCues(content.split(/\r\n|\r|\n/), format)
  const readLabel = createLabelReader(cues.flatMap(({ payload }) => payload))
  const turns = cues.flatMap(({ startMs, endMs, payload }) =>
    readVoices(payload, format, readLabel).map((voice) => ({ ...voice, startMs, endMs })),
  )
  return { turns, unreadableTimes }
}

function readCues(lines: string[], format: 'vtt' | 'srt'): { cues: Cue[]; unreadableTimes: number } {
  const cues: Cue[] = []
  let unreadableTimes = 0
  let at = format === 'vtt' && lines[0]!.startsWith('WEBVTT') ? skipBlock(lines, 0) : 0
  while (at < lines.length) {
    const line = lines[at]!
    if (!line.trim()) at++
    else if (format === 'vtt' && /^(NOTE(\s|$)|(STYLE|REGION)\s*$)/.test(line)) at = skipBlock(lines, at)
    else {
      const { cue, isReadable, next } = readCue(lines, at)
      cues.push(cue)
      if (!isReadable) unreadableTimes++
      at = next
    }
  }
  return { cues, unreadableTimes }
}

function readCue(lines: string[], at: number): { cue: Cue; isReadable: boolean; next: number } {
  const identifier = isTiming(lines[at]!) ? null : lines[at]!.trim()
  const timing = lines[identifier === null ? at : at + 1] ?? ''
  if (!isTiming(timing)) {
    // A number without times is that of a cue.
    const isNumber = /^\d+$/.test(lines[at]!.trim()) && timing.trim() !== ''
    const { lines: payload, next } = readPayload(lines, isNumber ? at + 1 : at)
    return { cue: { startMs: null, endMs: null, payload }, isReadable: false, next }
  }
  const { lines: payload, next } = readPayload(lines, identifier === null ? at + 1 : at + 2)
  if (identifier?.endsWith(untimedMark)) return { cue: { startMs: null, endMs: null, payload }, isReadable: true, next }
  const { startMs, endMs, isReadable } = parseTiming(timing)
  return { cue: { startMs, endMs, payload }, isReadable, next }
}

const isTiming = (line: string): boolean => line.includes('-->')

/** The index after a block, which ends with an empty line or, in broken files, with the next cue. */
function skipBlock(lines: string[], from: number): number {
  let at = from + 1
  while (at < lines.length && lines[at]!.trim() && !isTiming(lines[at]!)) at++
  return at
}

function readPayload(lines: string[], from: number): { lines: string[]; next: number } {
  let next = from
  while (next < lines.length && lines[next]!.trim() && !isTiming(lines[next]!)) next++
  // Without an empty line between cues, the last line is the number of the next one.
  const hasNext = next < lines.length && isTiming(lines[next]!) && next > from && /^\s*\d+\s*$/.test(lines[next - 1]!)
  if (hasNext) next--
  return { lines: lines.slice(from, next), next }
}

function parseTiming(line: string): { startMs: number | null; endMs: number | null; isReadable: boolean } {
  const arrow = line.indexOf('-->')
  const startMs = parseTime(line.slice(0, arrow).trim())
  const endMs = parseTime(/^\s*(\S{0,20})/.exec(line.slice(arrow + 3))![1]!)
  const isReadable = startMs !== null && endMs !== null && endMs >= startMs
  return { startMs, endMs: isReadable ? endMs : startMs, isReadable }
}

type Voice = { speaker: string | null; text: string }

/** The voices of a cue, named by a tag or before the text. */
function readVoices(payload: string[], format: 'vtt' | 'srt', readLabel: (text: string) => Labelled | null): Voice[] {
  const voices: Voice[] = []
  let speaker: string | null = null
  const add = (text: string): void => {
    const last = voices.at(-1)
    if (last && last.speaker === speaker) last.text += ` ${text}`
    else if (text.trim()) voices.push({ speaker, text })
  }
  for (const line of payload) {
    const label = readLabel(line.trim())
    if (label) speaker = toSpeaker(label.label)
    const text = label ? label.rest : line
    if (format === 'srt') {
      add(text.replace(srtTags, ''))
      continue
    }
    for (const part of splitAtVoices(text)) {
      if (part.speaker !== undefined) speaker = part.speaker
      add(decodeEntities(part.text))
    }
  }
  return voices
}

const srtTags = /<\/?(?:[bisu]|font(?:\s[^<>]{0,200})?)>|\{\\[^{}]{0,40}\}/gi

/** Text without tags, divided at voice tags. */
function splitAtVoices(text: string): { speaker?: string | null; text: string }[] {
  const parts: { speaker?: string | null; text: string }[] = [{ text: '' }]
  let from = 0
  while (from < text.length) {
    const open = text.indexOf('<', from)
    const close = open < 0 ? -1 : text.indexOf('>', open)
    if (close < 0) break
    const tag = text.slice(open + 1, close)
    const isTag = /^[\da-z/]/i.test(tag)
    parts.at(-1)!.text += text.slice(from, isTag ? open : close + 1)
    if (isTag && /^v[.\s]/i.test(`${tag} `)) {
      const name = decodeEntities(tag.replace(/^v\S*/i, '')).trim()
      parts.push({ speaker: name || null, text: '' })
    } else if (/^br\b/i.test(tag)) parts.at(-1)!.text += ' '
    from = close + 1
  }
  parts.at(-1)!.text += text.slice(from)
  return parts
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lrm: '',
  rlm: '',
}

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp|lrm|rlm));/gi,
    (all, decimal, hex, name) => {
      if (name) return entities[name.toLowerCase()]!
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
}
