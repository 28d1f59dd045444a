import type { TranscriptLine } from '../types.ts'
import { untimedMark } from './captions.ts'
import { findLabel, unknownSpeaker } from './labels.ts'
import { createAmbiguityCheck } from './plain-text.ts'
import { formatCueTime, formatTime } from './times.ts'

/** WebVTT, from which `parseTranscript` reads the same lines. */
export function formatVtt(lines: TranscriptLine[]): string {
  let last = 0
  const cues = lines.map(({ n, speaker, startMs, endMs, text }) => {
    const isTimed = startMs !== null && endMs !== null
    const times = [startMs ?? last, endMs ?? last].map(formatCueTime).join(' --> ')
    last = endMs ?? last
    return `${n}${isTimed ? '' : ` ${untimedMark}`}\n${times}\n${formatVoice(speaker, text)}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

function formatVoice(speaker: string | null, text: string): string {
  const escaped = escapeText(text)
  if (speaker !== null) return `<v ${escapeText(speaker)}>${escaped}`
  // A tag before it keeps the beginning from being read as a name.
  return findLabel(text) ? `<c>${escaped}</c>` : escaped
}

const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]!)

/** Lines such as `[00:12:03] Anna: text`, from which `parseTranscript` reads the same texts, with times in seconds. */
export function formatText(lines: TranscriptLine[]): string {
  const isAmbiguous = createAmbiguityCheck(lines.map(({ text }) => text))
  const hasLabels = lines.some(({ speaker, text }) => speaker !== null || isAmbiguous(text))
  return lines
    .map(({ speaker, startMs, text }) => {
      const time = startMs === null ? '' : `[${formatTime(startMs)}] `
      return `${time}${hasLabels ? `${speaker ?? unknownSpeaker}: ` : ''}${text}\n`
    })
    .join('')
}
