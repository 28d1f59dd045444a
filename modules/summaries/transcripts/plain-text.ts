import { createLabelReader, toSpeaker, type Labelled } from './labels.ts'
import type { Turn } from './lines.ts'
import { parseTime } from './times.ts'

const time = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?`
const inBrackets = String.raw`[[(]\s?(${time})(?:\s?(?:-->|[-–])\s?(${time}))?\s?[\])]`
const leadingTime = new RegExp(`^${inBrackets}\\s*`)
const bareTime = new RegExp(`^(${time})\\s+(?=\\S)`)
const onlyTime = new RegExp(`^(${time})$`)
const timeInLabel = new RegExp(`^([^:]{1,60}?)\\s{0,5}${inBrackets}\\s*(?::\\s*|$)`)
/** A name and a time in columns, with the text after them or in the next line. */
const columns = new RegExp(`^(\\S[^:\\t]{0,59}?)(?:\\t|  )[ \\t]{0,20}(${time})(?:\\s+|$)`)

/** Reads lines such as `Anna: text`, `[00:12:03] Anna: text` and `Anna  00:12:03`. Other lines continue the last speaker's. */
export function parsePlainText(content: string): Turn[] {
  const lines = content.split(/\r\n|\r|\n/).map((line) => line.trim())
  const readLabel = createLabelReader(lines.map(withoutTime))
  const turns: Turn[] = []
  let speaker: string | null = null
  let pending: Times = null
  for (const line of lines.filter(Boolean)) {
    const parsed = parseLine(line, readLabel)
    if (parsed.label !== null) speaker = toSpeaker(parsed.label)
    const times: Times = parsed.times ?? pending
    pending = parsed.text ? null : times
    if (parsed.text)
      turns.push({ speaker, startMs: times?.startMs ?? null, endMs: times?.endMs ?? null, text: parsed.text })
  }
  return withEnds(turns)
}

type Times = { startMs: number; endMs: number | null } | null
type ParsedLine = { label: string | null; times: Times; text: string }

function parseLine(line: string, readLabel: (text: string) => Labelled | null): ParsedLine {
  const leading = leadingTime.exec(line)
  const leadingTimes = toTimes(leading?.[1], leading?.[2])
  if (leading && leadingTimes) return withLabel(line.slice(leading[0].length), leadingTimes)

  const inLabel = timeInLabel.exec(line) ?? columns.exec(line)
  const label = inLabel && readLabel(`${inLabel[1]}:`)
  const labelTimes = toTimes(inLabel?.[2], inLabel?.[3])
  if (inLabel && label && labelTimes)
    return { label: label.label, times: labelTimes, text: line.slice(inLabel[0].length).trim() }

  const alone = toTimes(onlyTime.exec(line)?.[1])
  if (alone) return { label: null, times: alone, text: '' }
  const bare = bareTime.exec(line)
  const bareTimes = toTimes(bare?.[1])
  // "10:30 works for me" begins with a time of day.
  if (bare && bareTimes && readLabel(line.slice(bare[0].length)))
    return withLabel(line.slice(bare[0].length), bareTimes)
  return withLabel(line, null)

  function withLabel(text: string, times: Times): ParsedLine {
    const found = readLabel(text)
    return { label: found?.label ?? null, times, text: found ? found.rest : text }
  }
}

const withoutTime = (line: string): string => line.replace(leadingTime, '').replace(bareTime, '')

function toTimes(start: string | undefined, end?: string): Times {
  const startMs = start === undefined ? null : parseTime(start)
  return startMs === null ? null : { startMs, endMs: end === undefined ? null : parseTime(end) }
}

/** Finds texts that would be read as more than a text: as one after a name or a time. */
export function createAmbiguityCheck(texts: string[]): (text: string) => boolean {
  const readLabel = createLabelReader(texts.map(withoutTime))
  return (text) => {
    const { label, times } = parseLine(text, readLabel)
    return label !== null || times !== null
  }
}

/** A turn lasts until the next one that has a time. */
function withEnds(turns: Turn[]): Turn[] {
  let next: number | null = null
  const ended = turns.toReversed().map((turn) => {
    if (turn.startMs === null) return turn
    const endMs = Math.max(turn.startMs, turn.endMs ?? next ?? turn.startMs)
    next = turn.startMs
    return { ...turn, endMs }
  })
  return ended.toReversed()
}
