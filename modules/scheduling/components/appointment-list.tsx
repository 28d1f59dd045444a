import { dateOf, timeOf } from '#app/lib/time.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ListedAppointment } from '../output.ts'
import { clockWords, lengthWords, nearWords } from '../format.ts'

/** Appointments as lines: who, when, how long. `day` of each is said unless all are of one. */
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
  return (
    <ul aria-label={label} className="py-1.5">
      {appointments.map(({ id, title, who, status, start, end }) => (
        <li key={id}>
          <Link
            to={to(id)}
            preventScrollReset
            className={`st-${status} flex items-start gap-3 px-5 py-2.5 -outline-offset-2 hover:bg-hover`}
          >
            <i className="dot mt-1.5" />
            <span className="min-w-0 flex-1">
              <span className={`block truncate font-medium ${status === 'cancelled' ? 'line-through' : ''}`}>
                {who}
              </span>
              <span className="num block truncate text-sm text-ink-3">
                {withDay
                  ? `${nearWords(dateOf(start, zone), today)}, ${clockWords(timeOf(start, zone))}`
                  : `${clockWords(timeOf(start, zone))}, ${title}`}
              </span>
              <span className="sr-only">
                , {withDay && `${title}, `}
                {status}
              </span>
            </span>
            <span className="num shrink-0 text-sm text-ink-3">{lengthWords(start, end)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
