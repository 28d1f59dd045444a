import { useDroppable } from '@dnd-kit/core'
import type { ReactNode } from 'react'
import { Link } from '#app/ui/navigation/link.tsx'
import { formatDay } from '../format.ts'
import type { ListedAppointment } from '../records.ts'

type MonthDayProps = {
  date: string
  today: string
  /** A day of the month before or after. */
  isOutside: boolean
  isSelected: boolean
  isDropTarget: boolean
  appointments: ListedAppointment[]
  /** One for each appointment. */
  chips: ReactNode[]
  toNew: (date: string) => string
  toDay: (date: string) => string
  toList: (date: string) => string
  children: ReactNode
}

const maxChips = 4
const maxDots = 4

/** A day of the month: its sessions, or on phones a dot for each. */
export function MonthDay({
  date,
  today,
  isOutside,
  isSelected,
  isDropTarget,
  appointments,
  chips,
  toNew,
  toDay,
  toList,
  children,
}: MonthDayProps) {
  const { setNodeRef } = useDroppable({ id: date })
  const isToday = date === today
  const dayName = formatDay(date, today)
  const count = chips.length
  const name = count ? `${dayName}, ${count} ${count === 1 ? 'session' : 'sessions'}` : dayName
  const visibleChips = count > maxChips ? chips.slice(0, maxChips - 1) : chips
  const dayNumber = <span className="n">{Number(date.slice(8))}</span>
  return (
    <div
      ref={setNodeRef}
      className={['day', isToday && 'today', isOutside && 'out', isSelected && 'is-chosen', isDropTarget && 'is-over']
        .filter(Boolean)
        .join(' ')}
      aria-current={isToday ? 'date' : undefined}
    >
      <Link
        to={toNew(date)}
        preventScrollReset
        draggable={false}
        className="cal-day max-md:hidden"
        data-day={date}
        aria-label={`New session on ${name}`}
      >
        {dayNumber}
      </Link>
      <Link to={toList(date)} preventScrollReset replace className="cal-day md:hidden" aria-label={name}>
        {dayNumber}
      </Link>
      {count > 0 && (
        <span className="flex flex-wrap gap-0.5 pl-1 md:hidden" aria-hidden="true">
          {appointments.slice(0, maxDots).map(({ id, status }) => (
            <i key={id} className={`st-${status} dot !size-1.5`} />
          ))}
        </span>
      )}
      {visibleChips}
      {count > visibleChips.length && (
        <Link to={toDay(date)} className="cal-more" aria-label={`${count - visibleChips.length} more on ${dayName}`}>
          +{count - visibleChips.length} more
        </Link>
      )}
      {children}
    </div>
  )
}
