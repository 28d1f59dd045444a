import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { TranscriptLine } from '../types.ts'

/** A meeting of QMSum with a summary that a person wrote. */
export type Meeting = { lines: TranscriptLine[]; reference: string }
type Row = {
  meeting_transcripts: { speaker: string; content: string }[]
  general_query_list: { answer: string }[]
}

/** Null where the folder has no meetings. */
export function readMeetings(folder: string): Meeting[] | null {
  let text: string
  try {
    text = readFileSync(path.join(folder, 'qmsum-val.jsonl'), 'utf8')
  } catch {
    return null
  }
  return text
    .trim()
    .split('\n')
    .map((row) => {
      const { meeting_transcripts: turns, general_query_list: summaries } = JSON.parse(row) as Row
      return { lines: toLines(turns), reference: summaries[0]!.answer }
    })
}

function toLines(turns: Row['meeting_transcripts']): TranscriptLine[] {
  return turns
    .map(({ speaker, content }) => ({ speaker, text: toText(content) }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map((line, index) => ({ ...line, n: index + 1, startMs: null, endMs: null }))
}

/** The data has notes such as {vocalsound}, and spaces before punctuation. */
function toText(content: string): string {
  return content
    .replace(/\{[^}]*\}|_/g, ' ')
    .replace(/\s+([.,?!;:%)])/g, '$1')
    .replace(/\s+('(?:s|re|ve|ll|d|m|t)\b)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}
