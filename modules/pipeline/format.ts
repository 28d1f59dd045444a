import { localDate, formatDate, dayMs } from '#app/lib/time.ts'
import type { Tone } from '#app/ui/components/badge.tsx'

/** Rounds half up, as the database does, in integers only to avoid errors of binary fractions. */
const roundHundredths = (hundredths: number): number =>
  (hundredths - (hundredths % 100)) / 100 + (hundredths % 100 >= 50 ? 1 : 0)

/** '1 prospect', '18 prospects'. */
export const formatProspectCount = (count: number): string =>
  count === 1 ? '1 prospect' : `${count.toLocaleString('en-US')} prospects`

/** The badge color of a probability. Source: part-2 §9. */
export function probabilityTone(probability: number): Tone {
  if (probability >= 75) return 'success'
  if (probability >= 50) return 'info'
  return probability >= 25 ? 'warning' : 'neutral'
}

/** The sum of value times probability, in whole cents. */
export function weightedValue(cards: { value: number; probability: number }[]): number {
  // Sum cents and remainders separately: hundredths of a cent could exceed the safe integers.
  let [cents, remainder] = [0, 0]
  for (const { value, probability } of cards) {
    const hundredths = value * probability
    cents += (hundredths - (hundredths % 100)) / 100
    remainder += hundredths % 100
  }
  return cents + roundHundredths(remainder)
}

export type FollowUpLabel = { text: string; isOverdue: boolean }

/** 'Today', 'Tomorrow', 'Overdue 2d' or 'Mar 13', in the coach's time zone. */
export function formatFollowUp(at: Date, now: Date, zone: string): FollowUpLabel {
  const [day, today] = [localDate(at, zone), localDate(now, zone)]
  const days = Math.round((Date.parse(day) - Date.parse(today)) / dayMs)
  if (days < 0) return { text: `Overdue ${-days}d`, isOverdue: true }
  if (days < 2) return { text: days ? 'Tomorrow' : 'Today', isOverdue: false }
  const text = formatDate(at, zone)
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  return { text: isThisYear ? text.replace(/, \d+$/, '') : text, isOverdue: false }
}
