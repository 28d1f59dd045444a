import type { TimeSettings } from '#app/lib/clock.ts'
import { useTimeFormat } from '#app/ui/components/time-format.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ImportedTime } from '../calendar-import/queries.ts'
import type { Segment } from '../day-segments.ts'
import { formatTimes } from '../format.ts'
import { offsetTop } from './session-block.tsx'

export type BusySegment = Segment<ImportedTime>

const toBusyTime = ({ id }: ImportedTime): string => `/calendar/busy/${id}`

/** An imported time on the hours of a day, behind the sessions. */
export function BusyBlock({ segment: { appointment, from, to }, zone }: { segment: BusySegment; zone: string }) {
  const label = describeTime(appointment, { timezone: zone, timeFormat: useTimeFormat() })
  return (
    <div className="tg-busy" style={{ top: offsetTop(from), height: offsetTop(to - from) }}>
      <Link to={toBusyTime(appointment)} title={label} aria-label={`Busy: ${appointment.title}, ${label}`}>
        {appointment.title}
      </Link>
    </div>
  )
}

/** The imported times on a day of the month. */
export function BusyLine({ segments, to, day }: { segments: BusySegment[]; to: string; day: string }) {
  const [first, ...others] = segments.map(({ appointment }) => appointment)
  if (!first) return null
  return (
    <Link to={others.length ? to : toBusyTime(first)} className="cal-busy" draggable={false}>
      <span className="sr-only">Busy on {day}: </span>
      {first.title}
      {others.length > 0 && `, +${others.length}`}
    </Link>
  )
}

/** The imported times of a day as a list, for phones. */
export function BusyList({ segments, zone }: { segments: BusySegment[]; zone: string }) {
  const settings = { timezone: zone, timeFormat: useTimeFormat() }
  if (!segments.length) return null
  return (
    <ul aria-label="Busy times" className="border-t border-line-soft py-1.5">
      {segments.map(({ appointment }) => (
        <li key={appointment.id}>
          <Link to={toBusyTime(appointment)} className="block px-5 py-2.5 -outline-offset-2 hover:bg-hover">
            <span className="block truncate">{appointment.title}</span>
            <span className="num block text-sm text-ink-3">Busy, {describeTime(appointment, settings)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const describeTime = ({ start, end, isAllDay }: ImportedTime, settings: TimeSettings): string =>
  isAllDay ? 'all day' : formatTimes(start, end, settings)
