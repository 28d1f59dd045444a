/** Minutes after the end of a session at which its recording is looked for. */
const searchMinutes = [5, 15, 30, 60, 120, 240, 480, 1440]
const minuteMs = 60_000

/** When a session that is completed now is looked for first. */
export function getFirstSearchTime(endTime: Date, now: Date): Date {
  const first = new Date(endTime.getTime() + searchMinutes[0]! * minuteMs)
  return first > now ? first : now
}

/** The next search after one at `now`; null after the last one. */
export function getNextSearchTime(endTime: Date, now: Date): Date | null {
  const next = searchMinutes
    .map((minutes) => endTime.getTime() + minutes * minuteMs)
    .find((time) => time > now.getTime())
  return next === undefined ? null : new Date(next)
}
