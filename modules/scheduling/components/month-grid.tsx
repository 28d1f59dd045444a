import {
  DndContext,
  pointerWithin,
  useDraggable,
  useDroppable,
  type DragOverEvent,
  type DragStartEvent,
} from '@dnd-kit/core'
import { memo, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { addDays, dateOf, instantOf, timeOf } from '#app/lib/time.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import type { Piece } from '../day-segments.ts'
import type { ListedAppointment } from '../output.ts'
import { dayWords, shortClock, shortName, weekdayWords } from '../format.ts'
import { HandWords } from './drag-announcer.tsx'
import { silent, useHand, usePointers } from './use-drag-draft.ts'
import type { OnMove } from './use-optimistic-moves.ts'

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
  onMove: OnMove
}
/** The day that what is in the hand would land on. */
type Draft = { id: number; date: string }

const help =
  'Space lifts: then the arrow keys move it by a day or a week, Space drops it, Escape lays it back. Enter opens it.'

/**
 * Whole weeks from Sunday to Saturday. A press on a day schedules something on it; on phones it shows the day's list. By
 * mouse, touch and keys appointments are moved to another day.
 */
export function MonthGrid({
  days,
  pieces,
  month,
  today,
  chosen,
  zone,
  open,
  toNew,
  toDay,
  toList,
  toDetails,
  onMove,
}: Shown) {
  const grid = useRef<HTMLDivElement>(null)
  const sensors = usePointers()
  const found = (id: number) =>
    days.flatMap((date) => pieces.get(date) ?? []).find((piece) => piece.appointment.id === id)?.appointment
  const hand = useHand<Draft>({
    step: (draft, { key }) => {
      const step = steps[key]
      if (!step) return null
      const date = addDays(draft.date, step)
      return days.includes(date) ? { ...draft, date } : draft
    },
    words: ({ date }) => `${dayWords(date, today)}.`,
    drop: ({ id, date }) => {
      const appointment = found(id)
      if (!appointment || date === dateOf(appointment.start, zone)) return
      const start = instantOf(date, timeOf(appointment.start, zone), zone)
      onMove(
        appointment,
        start,
        new Date(start.getTime() + Date.parse(appointment.end) - Date.parse(appointment.start)),
      )
    },
  })
  const { draft } = hand
  const inHand = draft ? found(draft.id) : undefined
  const from = inHand && dateOf(inHand.start, zone)

  return (
    <DndContext
      id={useId()}
      sensors={sensors}
      accessibility={silent}
      collisionDetection={pointerWithin}
      onDragStart={({ active }: DragStartEvent) => hand.lift(active.data.current as Draft)}
      onDragOver={({ active, over }: DragOverEvent) =>
        over && hand.aim({ ...(active.data.current as Draft), date: String(over.id) })
      }
      onDragEnd={({ over }) => hand.lay(over !== null)}
      onDragCancel={() => hand.lay(false)}
    >
      <div
        ref={grid}
        role="group"
        aria-label="Month"
        className="cal cal-month"
        data-moving={draft ? '' : undefined}
        onKeyDown={(event) => walk(event, grid.current)}
        onClickCapture={hand.onClickCapture}
      >
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
          const lands = draft?.date === date && date !== from
          return (
            <Day
              key={date}
              date={date}
              today={date === today}
              className={`${date.startsWith(month) ? '' : ' out'}${date === chosen ? ' is-chosen' : ''}${lands ? ' is-over' : ''}`}
            >
              <Link
                to={toNew(date)}
                preventScrollReset
                draggable={false}
                className="cal-day max-md:hidden"
                data-day={date}
                aria-label={`New appointment on ${name}`}
              >
                <span className="n">{number}</span>
              </Link>
              <Link to={toList(date)} preventScrollReset replace className="cal-day md:hidden" aria-label={name}>
                <span className="n">{number}</span>
              </Link>
              {of.length > 0 && (
                <span className="flex flex-wrap gap-0.5 pl-1 md:hidden" aria-hidden="true">
                  {of.slice(0, 4).map(({ appointment: { id, status } }) => (
                    <i key={id} className={`st-${status} dot !size-1.5`} />
                  ))}
                </span>
              )}
              {shown.map(({ appointment, begins }) => (
                <Chip
                  key={appointment.id}
                  appointment={appointment}
                  date={date}
                  time={begins ? shortClock(timeOf(appointment.start, zone)) : '…'}
                  movable={begins}
                  open={open === appointment.id}
                  lifted={draft?.id === appointment.id}
                  to={toDetails(appointment.id)}
                  helpId={hand.helpId}
                  onKeyDown={(event) => begins && hand.onKeyDown(event, () => ({ id: appointment.id, date }))}
                />
              ))}
              {of.length > shown.length && (
                <Link
                  to={toDay(date)}
                  className="cal-more"
                  aria-label={`${of.length - shown.length} more on ${dayWords(date, today)}`}
                >
                  +{of.length - shown.length} more
                </Link>
              )}
              {lands && inHand && (
                <span className={`ev is-dragging st-${inHand.status}`} aria-hidden="true">
                  <time>{shortClock(timeOf(inHand.start, zone))}</time>
                  <span>{shortName(inHand.who)}</span>
                </span>
              )}
            </Day>
          )
        })}
      </div>
      <HandWords said={hand.said} helpId={hand.helpId} help={help} />
    </DndContext>
  )
}

function Day({
  date,
  today,
  className,
  children,
}: {
  date: string
  today: boolean
  className: string
  children: ReactNode
}) {
  const { setNodeRef } = useDroppable({ id: date })
  return (
    <div
      ref={setNodeRef}
      className={`day${today ? ' today' : ''}${className}`}
      aria-current={today ? 'date' : undefined}
    >
      {children}
    </div>
  )
}

type ChipProps = {
  appointment: ListedAppointment
  date: string
  time: string
  movable: boolean
  open: boolean
  lifted: boolean
  to: string
  helpId: string
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

const Chip = memo(
  function Chip({
    appointment: { id, title, who, status },
    date,
    time,
    movable,
    open,
    lifted,
    to,
    helpId,
    onKeyDown,
  }: ChipProps) {
    const { setNodeRef, listeners } = useDraggable({ id: `${id} ${date}`, data: { id, date }, disabled: !movable })
    return (
      <Link
        ref={setNodeRef as (element: HTMLAnchorElement | null) => void}
        {...listeners}
        to={to}
        preventScrollReset
        draggable={false}
        data-appointment={id}
        aria-describedby={movable ? helpId : undefined}
        onKeyDown={onKeyDown}
        className={`ev st-${status}${open ? ' is-open' : ''}${lifted ? ' is-lifted' : ''}`}
        title={`${time} ${who}, ${title}, ${status}`}
      >
        <time>{time}</time>
        <span>{shortName(who)}</span>
        <span className="sr-only">
          , {title}, {status}
        </span>
      </Link>
    )
  },
  // The keys' handler is another one each time, and asks for what is current by itself.
  (a, b) =>
    a.appointment === b.appointment &&
    a.date === b.date &&
    a.time === b.time &&
    a.open === b.open &&
    a.lifted === b.lifted &&
    a.to === b.to &&
    a.helpId === b.helpId,
)

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** Arrow keys go from day to day. */
function walk(event: KeyboardEvent, grid: HTMLElement | null) {
  const step = steps[event.key]
  const from = event.target
  if (
    !step ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    !(from instanceof HTMLElement) ||
    !from.dataset.day ||
    !grid
  )
    return
  const all = [...grid.querySelectorAll<HTMLElement>('[data-day]')]
  const to = all[all.indexOf(from) + step]
  if (!to) return
  event.preventDefault()
  to.focus()
}
