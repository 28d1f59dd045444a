import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Link } from '#app/ui/navigation/link.tsx'
import type { BookingMonth } from '../../booking/booking-loader.server.ts'
import type { BookingState, MonthUrl } from '../../booking/booking-url.ts'

type Urls = { url: MonthUrl; state: BookingState }

type Props = Urls & {
  month: BookingMonth
  /** The part to scroll to with another month, such as `#title`. */
  anchor?: string
}

/** A month: its days with free times are links. */
export function Month({ month, url, state, anchor = '' }: Props) {
  const toMonth = (to: string) => url.href(state, { month: to, day: null, start: null, step: null }) + anchor
  return (
    <>
      <div className="mb-3 flex items-center max-sm:pl-2">
        <h2 className="h2 flex-1">{month.title}</h2>
        <MonthLink label="Previous month" to={month.previous && toMonth(month.previous)} icon={ChevronLeft} />
        <MonthLink label="Next month" to={month.next && toMonth(month.next)} icon={ChevronRight} />
      </div>
      <div className="grid grid-cols-7 gap-x-0.5 gap-y-1 text-center sm:gap-1">
        {month.weekdays.map((name, index) => (
          <span
            key={name}
            aria-hidden="true"
            className="pb-1 text-sm text-ink-3"
            style={index === 0 ? undefined : { gridColumn: index + 1 }}
          >
            {name}
          </span>
        ))}
        {month.days.map((day, index) => (
          <Day
            key={day.date}
            day={day}
            isSelected={day.date === month.day?.date}
            column={index === 0 ? month.blanks + 1 : undefined}
            to={`${url.href(state, { month: null, day: day.date, start: null, step: null })}#times`}
          />
        ))}
      </div>
      {!month.times.length && (
        <p className="mt-4 text-ink-2">
          No free times in {month.title}
          {month.reason ? `: ${month.reason}` : ''}.{' '}
          {month.nextDay ? (
            <Link
              className="link hit"
              to={`${url.href(state, { month: null, day: month.nextDay.date, start: null, step: null })}#times`}
            >
              The next ones are on {month.nextDay.label}
            </Link>
          ) : (
            'Please look again later.'
          )}
        </p>
      )}
    </>
  )
}

function MonthLink({ label, to, icon: Icon }: { label: string; to: string | null; icon: typeof ChevronLeft }) {
  return to === null ? (
    <span className="btn btn-ghost btn-icon pointer-events-none opacity-40" aria-hidden="true">
      <Icon className="i" />
    </span>
  ) : (
    <Link className="btn btn-ghost btn-icon" to={to} aria-label={label}>
      <Icon className="i" />
    </Link>
  )
}

function Day({
  day: { date, label, isFree, isToday },
  isSelected,
  column,
  to,
}: {
  day: BookingMonth['days'][number]
  isSelected: boolean
  column: number | undefined
  to: string
}) {
  const number = Number(date.slice(8))
  const style = column === undefined ? undefined : { gridColumn: column }
  const shared = 'num grid h-11 w-full max-w-11 place-items-center justify-self-center'
  if (!isFree)
    return (
      <span className={`${shared} text-ink-3 ${isToday ? 'underline underline-offset-4' : ''}`} style={style}>
        {number}
      </span>
    )
  const colors = isSelected
    ? 'bg-brand-solid text-on-brand shadow-[inset_0_0_0_1px_var(--brand-edge)]'
    : 'bg-brand-soft text-brand-text hover:bg-brand-soft-2'
  return (
    <Link
      to={to}
      aria-label={`${label}, times available`}
      aria-current={isSelected ? 'date' : undefined}
      className={`${shared} rounded-full font-semibold ${colors}`}
      style={style}
    >
      {number}
    </Link>
  )
}
