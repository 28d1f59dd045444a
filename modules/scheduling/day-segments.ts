import { localDate, localTime } from '#app/lib/time.ts'

type Timed = { id: number; start: string; end: string }

/** The part of an appointment on one day, in minutes since midnight on the clock; 1440 is the end of the day. */
export type Segment<T extends Timed> = {
  appointment: T
  date: string
  from: number
  to: number
  startsHere: boolean
  endsHere: boolean
  /** Overlapping segments are side by side: this one is in `lane`, from 0, of `lanes`. */
  lane: number
  lanes: number
}

const dayMinutes = 1440
/** The shortest segments, so that they can be clicked. One that midnight cuts gets 24 px in the grid of hours. */
const minMinutes = 15
const minCutMinutes = 35

/** The segments of each of these days in the time zone, by start. */
export function segmentsByDay<T extends Timed>(
  appointments: T[],
  days: string[],
  zone: string,
): Map<string, Segment<T>[]> {
  const byDay = new Map<string, Segment<T>[]>(days.map((date) => [date, []]))
  for (const appointment of appointments) {
    const firstDay = localDate(appointment.start, zone)
    // One that ends at midnight has no segment on the next day.
    const lastDay = localDate(new Date(Date.parse(appointment.end) - 1), zone)
    const start = timeToMinutes(localTime(appointment.start, zone))
    const end = timeToMinutes(localTime(appointment.end, zone)) || dayMinutes
    for (const date of days) {
      if (date < firstDay || date > lastDay) continue
      const [startsHere, endsHere] = [date === firstDay, date === lastDay]
      const from = startsHere ? start : 0
      const to = endsHere ? end : dayMinutes
      const min = startsHere && endsHere ? minMinutes : minCutMinutes
      byDay.get(date)!.push({
        appointment,
        date,
        startsHere,
        endsHere,
        from: Math.min(from, dayMinutes - min),
        to: Math.max(to, from + min),
        lane: 0,
        lanes: 1,
      })
    }
  }
  for (const segments of byDay.values()) assignLanes(segments)
  return byDay
}

/** Puts overlapping segments side by side. Each takes the first free lane; a group that overlaps shares the width. */
function assignLanes<T extends Timed>(segments: Segment<T>[]): void {
  segments.sort((a, b) => a.from - b.from || b.to - a.to || a.appointment.id - b.appointment.id)
  let group: Segment<T>[] = []
  let groupEnd = 0
  const closeGroup = () => {
    const lanes = Math.max(1, ...group.map(({ lane }) => lane + 1))
    for (const segment of group) segment.lanes = lanes
    group = []
  }
  for (const segment of segments) {
    if (segment.from >= groupEnd) closeGroup()
    const taken = new Set(group.filter(({ to }) => to > segment.from).map(({ lane }) => lane))
    while (taken.has(segment.lane)) segment.lane++
    group.push(segment)
    groupEnd = Math.max(groupEnd, segment.to)
  }
  closeGroup()
}

/** '09:30' as minutes since midnight. */
export function timeToMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** Minutes since midnight as '09:30'. */
export function minutesToTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
