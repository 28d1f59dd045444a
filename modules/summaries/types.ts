/** The text that one speaker says without a pause. Times are null in transcripts without them. */
export type TranscriptLine = {
  /** From 1, without gaps: claims refer to it. */
  n: number
  speaker: string | null
  /** Milliseconds from the beginning of the recording. */
  startMs: number | null
  endMs: number | null
  /** A single line of plain text. */
  text: string
}

/** A sentence of a summary with its source. One that the coach has added has no lines and an empty quote. */
export type Claim = {
  text: string
  /** The `n` of the lines that support it. */
  lines: number[]
  /** Copied from those lines: at most 120 characters. */
  quote: string
}

export type ActionOwner = 'coach' | 'client'
/** A commitment. `due`: a date such as '2026-03-14'. */
export type Action = Claim & { owner: ActionOwner | null; due: string | null }

export type SummaryContent = { overview: Claim[]; takeaways: Claim[]; actions: Action[] }

/** The session that a summary is made for. */
export type SessionContext = {
  /** The day of the session in the coach's time zone: 'by Friday' counts from it. */
  date: string
  coachName: string
  clientName: string
}

/** How a summary was made: sentences chosen on the machine, or written by a model. */
export type SummaryMethod = 'extract' | 'model'

export type MadeContent = {
  content: SummaryContent
  method: SummaryMethod
  model: string | null
  promptVersion: string | null
}

/**
 * Makes a summary of what was said. Each claim cites lines that say it. Throws if it can't: then another one is asked.
 */
export type Summarizer = (lines: TranscriptLine[], session: SessionContext) => Promise<MadeContent>

export const maxQuoteLength = 120

/** Printing takes more than linear time: a longer transcript is printed in parts. About three hours. */
export const linesPerPart = 2_000
export const countParts = (lines: number): number => Math.max(1, Math.ceil(lines / linesPerPart))

/** Limits of a transcript: eight hours of fast speech are far below. */
export const transcriptLimits = { bytes: 5 * 1024 * 1024, lines: 20_000, characters: 2_000_000, lineCharacters: 5_000 }
