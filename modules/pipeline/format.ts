import { dateOf, dayOf } from '#app/lib/time.ts'
import type { Tone } from '#app/ui/components/badge.tsx'

// The words that screens use for what is stored.

const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** Of hundredths the whole, the half of one up, as the server rounds. Only whole numbers: amounts go through no binary fraction. */
const wholeOf = (hundredths: number): number =>
  (hundredths - (hundredths % 100)) / 100 + (hundredths % 100 >= 50 ? 1 : 0)

/** '$1,980', '$123.45' of cents. */
export const dollarsOf = (cents: number): string => {
  const part = cents % 100
  return `${whole.format((cents - part) / 100)}${part ? `.${String(part).padStart(2, '0')}` : ''}`
}

/** '$1,980' of cents: what is weighted is an estimate, without decimals. */
export const aboutDollars = (cents: number): string => whole.format(wholeOf(cents))

/** '1 prospect', '18 prospects'. */
export const prospectsOf = (count: number): string =>
  count === 1 ? '1 prospect' : `${count.toLocaleString('en-US')} prospects`

/** The badge of a probability. Source: part-2 §9. */
export function toneOf(probability: number): Tone {
  if (probability >= 75) return 'success'
  if (probability >= 50) return 'info'
  return probability >= 25 ? 'warning' : 'neutral'
}

/** Cents times likelihood, of all of them, in whole cents. */
export function weighted(cards: { value: number; probability: number }[]): number {
  // Cents and what is left of them apart: their hundredths together are more than a number holds exactly.
  let [cents, rest] = [0, 0]
  for (const { value, probability } of cards) {
    const hundredths = value * probability
    cents += (hundredths - (hundredths % 100)) / 100
    rest += hundredths % 100
  }
  return cents + wholeOf(rest)
}

/** 'Today', 'Tomorrow', 'Overdue 2d', 'Mar 13': when to follow up, in the coach's days. */
export function followUpWords(at: Date, now: Date, zone: string): { words: string; late: boolean } {
  const [day, today] = [dateOf(at, zone), dateOf(now, zone)]
  const days = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000)
  if (days < 0) return { words: `Overdue ${-days}d`, late: true }
  if (days < 2) return { words: days ? 'Tomorrow' : 'Today', late: false }
  const words = dayOf(at, zone)
  return { words: day.slice(0, 4) === today.slice(0, 4) ? words.replace(/, \d+$/, '') : words, late: false }
}
