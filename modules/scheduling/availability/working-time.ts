import { addDays, dayStart, localDate } from '#app/lib/time.ts'
import { listWorkingSpans, type Schedule } from './slots.ts'

export type WorkingDay = { start: Date; minutes: number }

/** The working minutes of each day from `from` to `to` of the coach's calendar, which may differ from the schedule's. */
export function listWorkingTime(
  schedule: Pick<Schedule, 'timezone' | 'hours' | 'overrides'>,
  { from, to, timezone }: { from: string; to: string; timezone: string },
): WorkingDay[] {
  const days: WorkingDay[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) days.push({ start: dayStart(date, timezone), minutes: 0 })
  const end = dayStart(addDays(to, 1), timezone)
  const index = new Map(days.map(({ start }, at) => [localDate(start, timezone), at]))
  let latest = days[0]?.start.getTime() ?? 0
  for (const span of listWorkingSpans(schedule, days[0]?.start ?? end, end).sort((a, b) => a.start - b.start)) {
    // Two dates have the same instants when a zone skips a day.
    let at = Math.max(span.start, latest)
    const until = Math.min(span.end, end.getTime())
    while (at < until) {
      const day = index.get(localDate(new Date(at), timezone))!
      const next = Math.min(until, (days[day + 1]?.start ?? end).getTime())
      days[day]!.minutes += (next - at) / 60_000
      at = next
    }
    latest = Math.max(latest, until)
  }
  return days.map(({ start, minutes }) => ({ start, minutes: Math.round(minutes) }))
}
