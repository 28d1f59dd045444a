import { useEffect, useRef, useState, type CSSProperties } from 'react'
import { dateOf, timeOf } from '#app/lib/time.ts'
import { Link } from '#app/ui/link.tsx'
import { minutesOf, timeFrom, type Piece } from '../grid.ts'
import type { ListedAppointment } from '../record.ts'
import { clockWords, dayWords, shortClock, spanWords, weekdayWords } from '../words.ts'

type Shown = {
  days: string[]
  pieces: Map<string, Piece<ListedAppointment>[]>
  today: string
  zone: string
  /** Minutes of today that have passed, as the server knew it. */
  now: number
  open: number | null
  toNew: (date: string, time: string) => string
  toDay: (date: string) => string
  toDetails: (id: number) => string
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** The first hour in sight. */
const morning = 8

/** The hours of one day or of seven. What overlaps stands side by side; a press on an hour schedules something then. */
export function TimeGrid({ days, pieces, today, zone, now, open, toNew, toDay, toDetails }: Shown) {
  const scroll = useRef<HTMLDivElement>(null)
  const passed = useNow(now, zone, today)
  useEffect(() => {
    const box = scroll.current
    const first = box?.querySelector<HTMLElement>('.is-first')
    // Where the browser doesn't begin there by itself.
    if (box && first && box.scrollTop === 0) box.scrollTop = first.offsetTop - 6
  }, [])
  return (
    <div className="tg" style={{ '--days': days.length } as CSSProperties}>
      <div ref={scroll} className="tg-scroll" tabIndex={0} role="region" aria-label="Hours">
        <div className="tg-row tg-head">
          <span />
          {days.map((date) => (
            <Link key={date} to={toDay(date)} className={`tg-date${date === today ? ' is-today' : ''}`} aria-current={date === today ? 'date' : undefined} aria-label={dayWords(date, today)}>
              {weekdayWords(date)} <b>{Number(date.slice(8))}</b>
            </Link>
          ))}
        </div>
        <div className="tg-row">
          <div className="tg-hours" aria-hidden="true">
            {hours.slice(1).map((hour) => (
              <span key={hour} style={{ top: topOf(hour * 60) }}>
                {clockWords(timeFrom(hour * 60)).replace(':00', '')}
              </span>
            ))}
          </div>
          {days.map((date) => (
            <div key={date} className="tg-day" role="group" aria-label={dayWords(date, today)}>
              {hours.map((hour) => (
                <Link
                  key={hour}
                  to={toNew(date, timeFrom(hour * 60))}
                  preventScrollReset
                  tabIndex={-1}
                  className={`tg-slot${hour === morning ? ' is-first' : ''}`}
                  style={{ top: topOf(hour * 60) }}
                  aria-label={`New appointment on ${dayWords(date, today)} at ${clockWords(timeFrom(hour * 60))}`}
                />
              ))}
              {date === today && <div className="tg-now" style={{ top: topOf(passed) }} aria-hidden="true" />}
              {(pieces.get(date) ?? []).map((piece) => (
                <Block key={piece.appointment.id} piece={piece} zone={zone} open={open === piece.appointment.id} to={toDetails(piece.appointment.id)} />
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

function Block({ piece, zone, open, to }: { piece: Piece<ListedAppointment>; zone: string; open: boolean; to: string }) {
  const { appointment, from, to: until, lane, lanes } = piece
  const { title, who, status, start, end } = appointment
  const low = until - from <= 30
  const times = spanWords(timeOf(start, zone), timeOf(end, zone))
  return (
    <div
      className={`tg-ev st-${status}${low ? ' is-low' : ''}${open ? ' is-open' : ''}`}
      style={{ top: topOf(from), height: `calc(${topOf(until - from)} - 2px)`, left: `calc(${(100 * lane) / lanes}% + 2px)`, width: `calc(${100 / lanes}% - 4px)` }}
      title={`${times} ${who}, ${title}, ${status}`}
    >
      <Link to={to} preventScrollReset>
        {who}
        <span className="sr-only">
          , {title}, {times}, {status}
        </span>
      </Link>
      <span aria-hidden="true">{low ? shortClock(timeOf(start, zone)) : times}</span>
      {until - from >= 75 && <span aria-hidden="true">{title}</span>}
    </div>
  )
}

const topOf = (minutes: number): string => `calc(var(--hour) * ${minutes / 60})`

/** Minutes of today that have passed, kept up with the clock. */
function useNow(first: number, zone: string, today: string): number {
  const [minutes, setMinutes] = useState(first)
  useEffect(() => {
    const look = () => {
      const now = new Date()
      if (dateOf(now, zone) === today) setMinutes(minutesOf(timeOf(now, zone)))
    }
    look()
    const timer = setInterval(look, 30_000)
    return () => clearInterval(timer)
  }, [zone, today])
  return minutes
}
