import { toLines, type Turn } from '../transcripts/lines.ts'
import type { TranscriptLine } from '../types.ts'
import type { RevAiTranscript } from './client.ts'

/** A line ends after the sentence with which it reaches this length: claims cite a moment, not minutes. */
const lineLength = 160

export function readLines({ monologues }: RevAiTranscript): TranscriptLine[] {
  return toLines(
    monologues.flatMap(({ speaker, speaker_info: info, elements }) =>
      divide(elements).map((turn) => ({ ...turn, speaker: info?.display_name?.trim() || `Speaker ${speaker + 1}` })),
    ),
  )
}

function divide(elements: RevAiTranscript['monologues'][number]['elements']): Omit<Turn, 'speaker'>[] {
  const turns: Omit<Turn, 'speaker'>[] = []
  let text = ''
  let startMs: number | null = null
  let endMs: number | null = null
  const end = (): void => {
    if (text.trim()) turns.push({ text, startMs: startMs ?? endMs, endMs: endMs ?? startMs })
    text = ''
    startMs = null
  }
  for (const { type, value, ts, end_ts: endTs } of elements) {
    text += value
    if (ts != null) startMs ??= toMs(ts)
    if (endTs != null) endMs = Math.max(toMs(endTs), startMs ?? 0)
    if (type === 'punct' && /[.?!…]/.test(value) && text.length >= lineLength) end()
  }
  end()
  return turns
}

const toMs = (seconds: number): number => Math.max(0, Math.round(seconds * 1000))
