import type { FoundRecording } from '#modules/core/manifest.ts'
import { overlapsMostly } from '#modules/core/recording-match.ts'

export type Listed = FoundRecording & { source: 'zoom' | 'meet' }
type Times = { startTime: Date; endTime: Date }

/**
 * The recording that belongs to the session beyond doubt: of its meeting, or else one in which its client took part. Null if
 * there is none or more than one: then the coach is asked. `others`: sessions of somebody else at about the same time; what
 * covers one of these as well has their conversation too.
 */
export function chooseRecording(found: Listed[], others: Times[]): Listed | null {
  const own = found.filter((recording) => !others.some((other) => overlapsMostly(recording, other)))
  for (const evidence of ['meeting', 'attendee'] as const) {
    const matching = own.filter((recording) => recording.evidence === evidence)
    if (matching.length) return matching.length === 1 ? matching[0]! : null
  }
  return null
}
