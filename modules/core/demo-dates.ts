import { dateOf, noonOf } from '#app/lib/time.ts'

const day = 86_400_000

/**
 * A moment between nine and four, where the coach lives, of the day that lies `days` before `now`, and not after it: nobody
 * runs a practice at night. `who` makes the minute: the same for a person, another for the next.
 */
export function demoMoment(now: Date, days: number, zone: string, who: string): Date {
  const minute = [...who].reduce((sum, sign) => sum + sign.codePointAt(0)!, 0) % 420
  const noon = noonOf(dateOf(new Date(now.getTime() - days * day), zone), zone).getTime()
  return new Date(Math.min(now.getTime(), noon + (minute - 180) * 60_000))
}
