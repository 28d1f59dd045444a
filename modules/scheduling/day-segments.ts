import { dateOf, timeOf } from '#app/lib/time.ts'

// Where appointments lie on the days of a zone's clock. Pure, for the server and for browsers.

type Timed = { id: number; start: string; end: string }

/** The part of an appointment that lies on one day. Minutes since midnight, as the clock shows them; 1440 is its end. */
export type Piece<T extends Timed> = {
  appointment: T
  date: string
  from: number
  to: number
  /** It begins, and ends, on this day. */
  begins: boolean
  ends: boolean
  /** Of those that overlap it stands in this lane, from 0, of so many side by side. */
  lane: number
  lanes: number
}

const least = 15

/** The appointments of each of these days, in order, in lanes where they overlap. */
export function piecesByDay<T extends Timed>(appointments: T[], days: string[], zone: string): Map<string, Piece<T>[]> {
  const byDay = new Map<string, Piece<T>[]>(days.map((date) => [date, []]))
  for (const appointment of appointments) {
    const first = dateOf(appointment.start, zone)
    // One that ends at midnight has nothing of the day that begins then.
    const last = dateOf(new Date(Date.parse(appointment.end) - 1), zone)
    const [from, to] = [minutesOf(timeOf(appointment.start, zone)), minutesOf(timeOf(appointment.end, zone))]
    for (const date of days) {
      if (date < first || date > last) continue
      const [begins, ends] = [date === first, date === last]
      const begin = begins ? from : 0
      const end = ends ? to || 1440 : 1440
      byDay.get(date)!.push({
        appointment,
        date,
        begins,
        ends,
        from: Math.min(begin, 1440 - least),
        to: Math.max(end, begin + least),
        lane: 0,
        lanes: 1,
      })
    }
  }
  for (const pieces of byDay.values()) sideBySide(pieces)
  return byDay
}

/** Each takes the first lane that is free; those that touch each other, directly or not, share the width. */
function sideBySide<T extends Timed>(pieces: Piece<T>[]): void {
  pieces.sort((a, b) => a.from - b.from || b.to - a.to || a.appointment.id - b.appointment.id)
  let cluster: Piece<T>[] = []
  let until = 0
  const close = () => {
    const lanes = Math.max(1, ...cluster.map(({ lane }) => lane + 1))
    for (const piece of cluster) piece.lanes = lanes
    cluster = []
  }
  for (const piece of pieces) {
    if (piece.from >= until) close()
    const taken = new Set(cluster.filter(({ to }) => to > piece.from).map(({ lane }) => lane))
    while (taken.has(piece.lane)) piece.lane++
    cluster.push(piece)
    until = Math.max(until, piece.to)
  }
  close()
}

/** '09:30' as minutes since midnight. */
export function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** Minutes since midnight as '09:30'. */
export function timeFrom(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
