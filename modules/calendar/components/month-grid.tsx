import { useRef, type KeyboardEvent } from 'react'
import { timeOf } from '#app/lib/time.ts'
import { Link } from '#app/ui/link.tsx'
import type { Piece } from '../grid.ts'
import type { ListedAppointment } from '../record.ts'
import { dayWords, shortClock, shortName, weekdayWords } from '../words.ts'

type Shown = {
  days: string[]
  pieces: Map<string, Piece<ListedAppointment>[]>
  /** The month in sight: '2026-03'. */
  month: string
  today: string
  /** The day whose list stands below, on phones. */
  chosen: string
  zone: string
  open: number | null
  toNew: (date: string) => string
  toDay: (date: string) => string
  toList: (date: string) => string
  toDetails: (id: number) => string
}

/** Whole weeks from Sunday to Saturday. A press on a day schedules something on it; on phones it shows the day's list. */
export function MonthGrid({ days, pieces, month, today, chosen, zone, open, toNew, toDay, toList, toDetails }: Shown) {
  const grid = useRef<HTMLDivElement>(null)
  return (
    <div ref={grid} role="group" aria-label="Month" className="cal cal-month" onKeyDown={(event) => walk(event, grid.current)}>
      {days.slice(0, 7).map((date) => (
        <div key={date} className="dow" aria-hidden="true">
          {weekdayWords(date)}
        </div>
      ))}
      {days.map((date) => {
        const of = pieces.get(date) ?? []
        const number = Number(date.slice(8))
        const shown = of.length > 4 ? of.slice(0, 3) : of
        const name = `${dayWords(date, today)}${of.length ? `, ${of.length} ${of.length === 1 ? 'appointment' : 'appointments'}` : ''}`
        return (
          <div key={date} className={`day${date.startsWith(month) ? '' : ' out'}${date === today ? ' today' : ''}${date === chosen ? ' is-chosen' : ''}`} aria-current={date === today ? 'date' : undefined}>
            <Link to={toNew(date)} preventScrollReset className="cal-day max-md:hidden" data-day={date} aria-label={`New appointment on ${name}`}>
              <span className="n">{number}</span>
            </Link>
            <Link to={toList(date)} preventScrollReset replace className="cal-day md:hidden" aria-label={name}>
              <span className="n">{number}</span>
            </Link>
            {of.length > 0 && (
              <span className="flex flex-wrap gap-0.5 px-1.5 md:hidden" aria-hidden="true">
                {of.slice(0, 4).map(({ appointment: { id, status } }) => (
                  <i key={id} className={`st-${status} dot !size-1.5`} />
                ))}
              </span>
            )}
            {shown.map(({ appointment, begins }) => (
              <Chip key={appointment.id} appointment={appointment} time={begins ? shortClock(timeOf(appointment.start, zone)) : '…'} open={open === appointment.id} to={toDetails(appointment.id)} />
            ))}
            {of.length > shown.length && (
              <Link to={toDay(date)} className="cal-more" aria-label={`${of.length - shown.length} more on ${dayWords(date, today)}`}>
                +{of.length - shown.length} more
              </Link>
            )}
          </div>
        )
      })}
    </div>
  )
}

function Chip({ appointment: { title, who, status }, time, open, to }: { appointment: ListedAppointment; time: string; open: boolean; to: string }) {
  return (
    <Link to={to} preventScrollReset className={`ev st-${status}${open ? ' is-open' : ''}`} title={`${time} ${who}, ${title}, ${status}`}>
      <time>{time}</time>
      <span>{shortName(who)}</span>
      <span className="sr-only">
        , {title}, {status}
      </span>
    </Link>
  )
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** Arrow keys go from day to day. */
function walk(event: KeyboardEvent, grid: HTMLElement | null) {
  const step = steps[event.key]
  const from = event.target
  if (!step || event.altKey || event.ctrlKey || event.metaKey || !(from instanceof HTMLElement) || !from.dataset.day || !grid) return
  const all = [...grid.querySelectorAll<HTMLElement>('[data-day]')]
  const to = all[all.indexOf(from) + step]
  if (!to) return
  event.preventDefault()
  to.focus()
}
