import type { TranscriptLine } from '../types.ts'

const windowMs = 20 * 60_000
/** As many words as fast speakers say in the time of a window, for transcripts without times. */
const windowWords = 4000

/** Divides a long session into parts of twenty minutes. */
export function splitWindows(lines: TranscriptLine[]): TranscriptLine[][] {
  const windows: TranscriptLine[][] = []
  let start: number | null = null
  let words = 0
  for (const line of lines) {
    const count = line.text.split(' ').length
    const isFull =
      words + count > windowWords || (start !== null && line.startMs !== null && line.startMs - start >= windowMs)
    if (windows.length === 0 || (isFull && words > 0)) {
      windows.push([])
      start = null
      words = 0
    }
    windows.at(-1)!.push(line)
    start ??= line.startMs
    words += count
  }
  return windows
}
