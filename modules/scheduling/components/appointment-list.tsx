import { formatTime, localDate } from '#app/lib/time.ts'
import { useTimeFormat } from '#app/ui/components/time-format.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ListedAppointment } from '../records.ts'
import { formatDuration, formatRelativeDay } from '../format.ts'

/** A list of appointments. `withDay`: with the day of each, for lists of several days. */
export function AppointmentList({
  label,
  appointments,
  zone,
  today,
  withDay,
  to,
}: {
  label: string
  appointments: ListedAppointment[]
  zone: string
  today: string
  withDay: boolean
  to: (id: number) => string
}) {
  const settings = { timezone: zone, timeFormat: useTimeFormat() }
  return (
    <ul aria-label={label} className="py-1.5">
      {appointments.map(({ id, title, attendeeName, status, start, end }) => (
        <li key={id}>
          <Link
            to={to(id)}
            preventScrollReset
            className={`st-${status} flex items-start gap-3 px-5 py-2.5 -outline-offset-2 hover:bg-hover`}
          >
            <i className="dot mt-1.5" />
            <span className="min-w-0 flex-1">
              <span className={`block truncate font-medium ${status === 'cancelled' ? 'line-through' : ''}`}>
                {attendeeName}
              </span>
              <span className="num block truncate text-sm text-ink-3">
                {withDay
                  ? `${formatRelativeDay(localDate(start, zone), today)}, ${formatTime(start, settings)}`
                  : `${formatTime(start, settings)}, ${title}`}
              </span>
              <span className="sr-only">
                , {withDay && `${title}, `}
                {status}
              </span>
            </span>
            <span className="num shrink-0 text-sm text-ink-3">{formatDuration(start, end)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
