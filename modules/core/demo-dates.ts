import { localDate, noonIn, dayMs } from '#app/lib/time.ts'

/**
 * A moment between 9:00 and 16:00 in the coach's zone, `days` days before `now` and never after it. `seed` sets the
 * minute: always the same for one person, different for the next.
 */
export function demoMoment(now: Date, days: number, zone: string, seed: string): Date {
  const minute = [...seed].reduce((sum, character) => sum + character.codePointAt(0)!, 0) % 420
  const noon = noonIn(localDate(new Date(now.getTime() - days * dayMs), zone), zone).getTime()
  return new Date(Math.min(now.getTime(), noon + (minute - 180) * 60_000))
}
