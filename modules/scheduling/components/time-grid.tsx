import { DndContext, useDraggable, type DragEndEvent, type DragMoveEvent, type DragStartEvent } from '@dnd-kit/core'
import { memo, useEffect, useId, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react'
import { dateOf, instantOf, timeOf } from '#app/lib/time.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { minutesOf, timeFrom, type Piece } from '../day-segments.ts'
import type { ListedAppointment } from '../output.ts'
import { clockWords, dayWords, shortClock, spanWords, weekdayWords } from '../format.ts'
import { HandWords } from './drag-announcer.tsx'
import { silent, useHand, usePointers } from './use-drag-draft.ts'
import type { OnMove } from './use-optimistic-moves.ts'

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
  onMove: OnMove
}
type Own = Piece<ListedAppointment>
/** Where what is in the hand would land: minutes of a day's clock. `grip`: the whole is moved, or its end. */
type Draft = { id: number; grip: 'whole' | 'end'; date: string; from: number; to: number }

const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** The first hour in sight, unless something begins before it. */
const morning = 8
const quarter = 15
const help =
  'Space lifts: then the arrow keys move it by a quarter of an hour or a day, Shift and up or down make it shorter or longer, Space drops it, Escape lays it back. Enter opens it.'

/**
 * The hours of one day or of seven. What overlaps stands side by side; a press on an hour schedules something then. By
 * mouse, touch and keys appointments are moved, and stretched at their lower edge.
 */
export function TimeGrid({ days, pieces, today, zone, now, open, toNew, toDay, toDetails, onMove }: Shown) {
  const scroll = useRef<HTMLDivElement>(null)
  const passed = useNow(now, zone, today)
  const sensors = usePointers()
  const pieceOf = (id: number) =>
    days.flatMap((date) => pieces.get(date) ?? []).find((piece) => piece.appointment.id === id && piece.begins)
  const hand = useHand<Draft>({
    step: (draft, event) => stepped(draft, event, days),
    words: ({ date, from, to }) => `${dayWords(date, today)}, ${spanWords(timeFrom(from), timeFrom(to))}.`,
    drop: (draft) => {
      const piece = pieceOf(draft.id)
      if (!piece || (draft.date === piece.date && draft.from === piece.from && draft.to === piece.to)) return
      const { appointment } = piece
      const [start, end] = [new Date(appointment.start), new Date(appointment.end)]
      const moved = draft.date !== piece.date || draft.from !== piece.from
      const begin = moved ? instantOf(draft.date, timeFrom(draft.from), zone) : start
      // A move keeps the real length, also over a night in which the clock is set.
      const length = draft.to - draft.from === piece.to - piece.from
      onMove(
        appointment,
        begin,
        length
          ? new Date(begin.getTime() + end.getTime() - start.getTime())
          : instantOf(draft.date, timeFrom(draft.to), zone, begin),
      )
    },
  })
  const began = useRef<{ piece: Own; grip: Draft['grip'] } | null>(null)

  function onDragStart({ active }: DragStartEvent) {
    const { piece, grip } = active.data.current as { piece: Own; grip: Draft['grip'] }
    began.current = { piece, grip }
    hand.lift({ id: piece.appointment.id, grip, date: piece.date, from: piece.from, to: piece.to })
  }

  function onDragMove({ delta }: DragMoveEvent) {
    const day = scroll.current?.querySelector('.tg-day')?.getBoundingClientRect()
    if (!began.current || !day) return
    const { piece, grip } = began.current
    const minutes = Math.round((delta.y / day.height) * (1440 / quarter)) * quarter
    const across = Math.round(delta.x / day.width)
    hand.aim(placed(piece, grip, minutes, across, days))
  }

  useEffect(() => {
    const box = scroll.current
    const first = box?.querySelector<HTMLElement>('.is-first')
    // Where the browser doesn't begin there by itself.
    if (box && first && box.scrollTop === 0) box.scrollTop = first.offsetTop - 6
  }, [])

  const earliest = Math.min(
    morning,
    ...days.flatMap((date) =>
      (pieces.get(date) ?? []).map(({ begins, from }) => (begins ? Math.floor(from / 60) : morning)),
    ),
  )
  const { draft } = hand
  const inHand = draft ? pieceOf(draft.id) : undefined
  return (
    <DndContext
      id={useId()}
      sensors={sensors}
      accessibility={silent}
      onDragStart={onDragStart}
      onDragMove={onDragMove}
      onDragEnd={(_: DragEndEvent) => hand.lay(true)}
      onDragCancel={() => hand.lay(false)}
    >
      <div
        className="tg"
        style={{ '--days': days.length } as CSSProperties}
        data-moving={draft ? '' : undefined}
        onClickCapture={hand.onClickCapture}
      >
        <HandWords said={hand.said} helpId={hand.helpId} help={help} />
        <div ref={scroll} className="tg-scroll" tabIndex={0} role="region" aria-label="Hours">
          <div className="tg-row tg-head">
            <span />
            {days.map((date) => (
              <Link
                key={date}
                to={toDay(date)}
                className={`tg-date${date === today ? ' is-today' : ''}`}
                aria-current={date === today ? 'date' : undefined}
                aria-label={dayWords(date, today)}
              >
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
                    draggable={false}
                    tabIndex={-1}
                    className={`tg-slot${hour === earliest ? ' is-first' : ''}`}
                    style={{ top: topOf(hour * 60) }}
                    aria-label={`New appointment on ${dayWords(date, today)} at ${clockWords(timeFrom(hour * 60))}`}
                  />
                ))}
                {date === today && <div className="tg-now" style={{ top: topOf(passed) }} aria-hidden="true" />}
                {(pieces.get(date) ?? []).map((piece) => (
                  <Block
                    key={piece.appointment.id}
                    piece={piece}
                    zone={zone}
                    narrow={days.length > 1}
                    open={open === piece.appointment.id}
                    lifted={draft?.id === piece.appointment.id}
                    to={toDetails(piece.appointment.id)}
                    helpId={hand.helpId}
                    onKeyDown={(event) =>
                      piece.begins &&
                      hand.onKeyDown(event, () => ({
                        id: piece.appointment.id,
                        grip: 'whole',
                        date: piece.date,
                        from: piece.from,
                        to: piece.to,
                      }))
                    }
                  />
                ))}
                {draft?.date === date && inHand && (
                  <div
                    className={`tg-ev is-dragging st-${inHand.appointment.status}`}
                    style={{ ...placeOf(draft.from, Math.min(draft.to, 1440), 0, 1), pointerEvents: 'none' }}
                    aria-hidden="true"
                  >
                    <b>{inHand.appointment.who}</b>
                    <span>{spanWords(timeFrom(draft.from), timeFrom(draft.to))}</span>
                  </div>
                )}
              </div>
            ))}
          </div>
        </div>
      </div>
    </DndContext>
  )
}

/** Where a piece comes to lie that is moved so far, or whose end is; on the days in sight. */
function placed(
  { appointment: { id }, date, from, to }: Own,
  grip: Draft['grip'],
  minutes: number,
  across: number,
  days: string[],
): Draft {
  if (grip === 'end') return { id, grip, date, from, to: Math.min(1440, Math.max(from + quarter, to + minutes)) }
  const day = days[Math.min(days.length - 1, Math.max(0, days.indexOf(date) + across))]!
  const begin = Math.max(0, Math.min(from + minutes, Math.max(1440 - (to - from), 0)))
  return { id, grip, date: day, from: begin, to: begin + to - from }
}

/** The next draft by keys. */
function stepped(draft: Draft, { key, shiftKey }: KeyboardEvent, days: string[]): Draft | null {
  const [across, down] = [
    { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0,
    { ArrowUp: -quarter, ArrowDown: quarter }[key] ?? 0,
  ]
  if (!across && !down) return null
  if (shiftKey) return down ? { ...draft, to: Math.min(1440, Math.max(draft.from + quarter, draft.to + down)) } : draft
  const length = draft.to - draft.from
  const from = Math.max(0, Math.min(draft.from + down, Math.max(1440 - length, 0)))
  const date = days[Math.min(days.length - 1, Math.max(0, days.indexOf(draft.date) + across))]!
  return { ...draft, date, from, to: from + length }
}

/** `narrow`: in one column of seven, where the hours beside it say which half of the day it is. */
type BlockProps = {
  piece: Own
  zone: string
  narrow: boolean
  open: boolean
  lifted: boolean
  to: string
  helpId: string
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

const Block = memo(
  function Block({ piece, zone, narrow, open, lifted, to, helpId, onKeyDown }: BlockProps) {
    const { appointment, date, from, to: until, lane, lanes, begins, ends } = piece
    const { id, title, who, status, start, end } = appointment
    const whole = useDraggable({ id: `whole ${id} ${date}`, data: { piece, grip: 'whole' }, disabled: !begins })
    const edge = useDraggable({ id: `end ${id} ${date}`, data: { piece, grip: 'end' }, disabled: !begins || !ends })
    const low = until - from <= 30
    const [begin, over] = [timeOf(start, zone), timeOf(end, zone)]
    const times = spanWords(begin, over)
    return (
      <div
        ref={whole.setNodeRef}
        {...whole.listeners}
        className={`tg-ev st-${status}${low ? ' is-low' : ''}${until - from < 20 ? ' is-slim' : ''}${open ? ' is-open' : ''}${lifted ? ' is-lifted' : ''}`}
        style={placeOf(from, until, lane, lanes)}
        title={`${times} ${who}, ${title}, ${status}`}
      >
        <Link
          to={to}
          preventScrollReset
          draggable={false}
          data-appointment={id}
          aria-describedby={begins ? helpId : undefined}
          onKeyDown={onKeyDown}
        >
          {who}
          <span className="sr-only">
            , {title}, {times}, {status}
          </span>
        </Link>
        <span aria-hidden="true">
          {low ? shortClock(begin) : narrow ? `${shortClock(begin)} – ${shortClock(over)}` : times}
        </span>
        {until - from >= 75 && <span aria-hidden="true">{title}</span>}
        {begins && ends && <i ref={edge.setNodeRef} {...edge.listeners} className="tg-edge" aria-hidden="true" />}
      </div>
    )
  },
  // The keys' handler is another one each time, and asks for what is current by itself.
  (a, b) =>
    samePiece(a.piece, b.piece) &&
    a.zone === b.zone &&
    a.narrow === b.narrow &&
    a.open === b.open &&
    a.lifted === b.lifted &&
    a.to === b.to &&
    a.helpId === b.helpId,
)

function samePiece(a: Own, b: Own): boolean {
  return a.appointment === b.appointment && a.date === b.date && a.lane === b.lane && a.lanes === b.lanes
}

function placeOf(from: number, to: number, lane: number, lanes: number): CSSProperties {
  return {
    top: topOf(from),
    height: `calc(${topOf(to - from)} - 2px)`,
    left: `calc(${(100 * lane) / lanes}% + 2px)`,
    width: `calc(${100 / lanes}% - 4px)`,
  }
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
