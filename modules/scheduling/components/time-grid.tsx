import { DndContext } from '@dnd-kit/core'
import { useEffect, useId, useRef, useState, type CSSProperties, type RefObject } from 'react'
import { formatClock } from '#app/lib/clock.ts'
import { localDate, localTime } from '#app/lib/time.ts'
import { useTimeFormat } from '#app/ui/components/time-format.ts'
import { useDragSensors } from '#app/ui/dnd/use-drag-sensors.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { minutesToTime, timeToMinutes } from '../day-segments.ts'
import { formatDay, formatWeekday } from '../format.ts'
import { BusyBlock, type BusySegment } from './busy-times.tsx'
import { DragAnnouncer } from './drag-announcer.tsx'
import { DraftBlock, offsetTop, SessionBlock } from './session-block.tsx'
import type { SessionSegment } from './time-grid-draft.ts'
import { silentAnnouncements } from './use-drag-draft.ts'
import type { OnMove } from './use-optimistic-moves.ts'
import { useTimeDrag } from './use-time-drag.ts'

type TimeGridProps = {
  days: string[]
  segments: Map<string, SessionSegment[]>
  busy: Map<string, BusySegment[]>
  today: string
  zone: string
  /** Minutes of today that have passed, from the server. */
  now: number
  /** The appointment whose dialog is open. */
  openId: number | null
  toNew: (date: string, time: string) => string
  toDay: (date: string) => string
  toDetails: (id: number) => string
  onMove: OnMove
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** The first visible hour, unless a session starts earlier. */
const defaultFirstHour = 8
const help =
  'Press Space to pick up, the arrow keys to move by 15 minutes or a day, Shift with up or down to resize, ' +
  'Space to drop, Escape to cancel. Enter opens the session.'

/** The hours of one day or seven. Sessions can be moved, and resized at their end; a click on an hour adds one. */
export function TimeGrid(props: TimeGridProps) {
  const { days, segments, busy, today, zone, now, openId, toNew, toDay, toDetails, onMove } = props
  const grid = useRef<HTMLDivElement>(null)
  const drag = useTimeDrag({ grid, days, segments, today, zone, onMove })
  const minutesNow = useMinutesNow(now, zone, today)
  useInitialScroll(grid)
  return (
    <DndContext id={useId()} sensors={useDragSensors()} accessibility={silentAnnouncements} {...drag.dndHandlers}>
      <div
        className="tg"
        style={{ '--days': days.length } as CSSProperties}
        data-moving={drag.draft ? '' : undefined}
        onClickCapture={drag.onClickCapture}
      >
        <DragAnnouncer announcement={drag.announcement} helpId={drag.helpId} help={help} />
        <div ref={grid} className="tg-scroll" tabIndex={0} role="region" aria-label="Hours">
          {days.length > 1 && <DayHeadings days={days} today={today} toDay={toDay} />}
          <div className="tg-row">
            <HourLabels />
            {days.map((date) => (
              <div key={date} className="tg-day" role="group" aria-label={formatDay(date, today)}>
                <HourLinks date={date} today={today} firstHour={firstVisibleHour(segments)} toNew={toNew} />
                {date === today && <div className="tg-now" style={{ top: offsetTop(minutesNow) }} aria-hidden="true" />}
                {(busy.get(date) ?? []).map((segment) => (
                  <BusyBlock key={segment.appointment.id} segment={segment} zone={zone} />
                ))}
                {(segments.get(date) ?? []).map((segment) => (
                  <SessionBlock
                    key={segment.appointment.id}
                    segment={segment}
                    zone={zone}
                    isNarrow={days.length > 1}
                    isOpen={openId === segment.appointment.id}
                    isDragged={drag.draft?.id === segment.appointment.id}
                    to={toDetails(segment.appointment.id)}
                    helpId={drag.helpId}
                    onKeyDown={drag.onKeyDown}
                  />
                ))}
                {drag.draft?.date === date && drag.draggedSession && (
                  <DraftBlock draft={drag.draft} appointment={drag.draggedSession} />
                )}
              </div>
            ))}
          </div>
        </div>
      </div>
    </DndContext>
  )
}

function DayHeadings({ days, today, toDay }: Pick<TimeGridProps, 'days' | 'today' | 'toDay'>) {
  return (
    <div className="tg-row tg-head">
      <span />
      {days.map((date) => (
        <Link
          key={date}
          to={toDay(date)}
          className={`tg-date${date === today ? ' is-today' : ''}`}
          aria-current={date === today ? 'date' : undefined}
        >
          {formatWeekday(date)} <b>{Number(date.slice(8))}</b>
          <span className="sr-only">, {formatDay(date, today)}</span>
        </Link>
      ))}
    </div>
  )
}

function HourLabels() {
  const timeFormat = useTimeFormat()
  return (
    <div className="tg-hours" aria-hidden="true">
      {hours.slice(1).map((hour) => (
        <span key={hour} style={{ top: offsetTop(hour * 60) }}>
          {formatClock(minutesToTime(hour * 60), timeFormat).replace(':00 ', ' ')}
        </span>
      ))}
    </div>
  )
}

function HourLinks({
  date,
  today,
  firstHour,
  toNew,
}: Pick<TimeGridProps, 'today' | 'toNew'> & { date: string; firstHour: number }) {
  const timeFormat = useTimeFormat()
  return hours.map((hour) => {
    const time = minutesToTime(hour * 60)
    return (
      <Link
        key={hour}
        to={toNew(date, time)}
        preventScrollReset
        draggable={false}
        tabIndex={-1}
        className={`tg-slot${hour === firstHour ? ' is-first' : ''}`}
        style={{ top: offsetTop(hour * 60) }}
        aria-label={`New session on ${formatDay(date, today)} at ${formatClock(time, timeFormat)}`}
      />
    )
  })
}

function firstVisibleHour(segments: TimeGridProps['segments']): number {
  const starts = [...segments.values()].flat().filter(({ startsHere }) => startsHere)
  return Math.min(defaultFirstHour, ...starts.map(({ from }) => Math.floor(from / 60)))
}

/** Scrolls to the first visible hour in browsers without `scroll-initial-target`. */
function useInitialScroll(grid: RefObject<HTMLDivElement>): void {
  useEffect(() => {
    const scroller = grid.current
    const first = scroller?.querySelector<HTMLElement>('.is-first')
    if (scroller && first && scroller.scrollTop === 0) scroller.scrollTo({ top: first.offsetTop - 6 })
  }, [grid])
}

/** Minutes of today that have passed. */
function useMinutesNow(initial: number, zone: string, today: string): number {
  const [minutes, setMinutes] = useState(initial)
  useEffect(() => {
    const update = () => {
      const now = new Date()
      if (localDate(now, zone) === today) setMinutes(timeToMinutes(localTime(now, zone)))
    }
    update()
    const timer = setInterval(update, 30_000)
    return () => clearInterval(timer)
  }, [zone, today])
  return minutes
}
