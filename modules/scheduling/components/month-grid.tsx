import { DndContext, pointerWithin, type DragOverEvent, type DragStartEvent } from '@dnd-kit/core'
import { useId, useRef, type KeyboardEvent } from 'react'
import { formatShortClock } from '#app/lib/clock.ts'
import { addDays, localDate, localTime, zonedToInstant } from '#app/lib/time.ts'
import { useTimeFormat } from '#app/ui/components/time-format.ts'
import { useDragSensors } from '#app/ui/dnd/use-drag-sensors.ts'
import type { Segment } from '../day-segments.ts'
import type { ListedAppointment } from '../records.ts'
import { formatDay, formatWeekday } from '../format.ts'
import { BusyLine, type BusySegment } from './busy-times.tsx'
import { DragAnnouncer } from './drag-announcer.tsx'
import { DraftChip, MonthChip, type DayDraft } from './month-chip.tsx'
import { MonthDay } from './month-day.tsx'
import { silentAnnouncements, useDragDraft } from './use-drag-draft.ts'
import type { OnMove } from './use-optimistic-moves.ts'

type MonthGridProps = {
  days: string[]
  segments: Map<string, Segment<ListedAppointment>[]>
  busy: Map<string, BusySegment[]>
  /** '2026-03'. */
  month: string
  today: string
  /** The day whose list is shown below, on phones. */
  selectedDay: string
  zone: string
  /** The appointment whose dialog is open. */
  openId: number | null
  toNew: (date: string) => string
  toDay: (date: string) => string
  toList: (date: string) => string
  toDetails: (id: number) => string
  onMove: OnMove
}

const help =
  'Press Space to pick up, the arrow keys to move by a day or a week, Space to drop, Escape to cancel. ' +
  'Enter opens the session.'

/** Whole weeks. A click on a day adds a session; sessions can be moved to another day. */
export function MonthGrid(props: MonthGridProps) {
  const { days, month, today, selectedDay, zone, openId, toNew, toDay, toList, toDetails } = props
  const timeFormat = useTimeFormat()
  const grid = useRef<HTMLDivElement>(null)
  const { drag, dragged, dndHandlers } = useMonthDrag(props)
  const draggedFrom = dragged && localDate(dragged.start, zone)
  return (
    <DndContext
      id={useId()}
      sensors={useDragSensors()}
      accessibility={silentAnnouncements}
      collisionDetection={pointerWithin}
      {...dndHandlers}
    >
      <div
        ref={grid}
        role="group"
        aria-label="Month"
        className="cal cal-month"
        data-moving={drag.draft ? '' : undefined}
        onKeyDown={(event) => focusNextDay(event, grid.current)}
        onClickCapture={drag.onClickCapture}
      >
        {days.slice(0, 7).map((date) => (
          <div key={date} className="dow" aria-hidden="true">
            {formatWeekday(date)}
          </div>
        ))}
        {days.map((date) => {
          const segments = props.segments.get(date) ?? []
          const isDropTarget = drag.draft?.date === date && date !== draggedFrom
          return (
            <MonthDay
              key={date}
              date={date}
              today={today}
              isOutside={!date.startsWith(month)}
              isSelected={date === selectedDay}
              isDropTarget={isDropTarget}
              appointments={segments.map(({ appointment }) => appointment)}
              toNew={toNew}
              toDay={toDay}
              toList={toList}
              chips={segments.map(({ appointment, startsHere }) => (
                <MonthChip
                  key={appointment.id}
                  appointment={appointment}
                  date={date}
                  time={startsHere ? formatShortClock(localTime(appointment.start, zone), timeFormat) : '…'}
                  canMove={startsHere}
                  isOpen={openId === appointment.id}
                  isDragged={drag.draft?.id === appointment.id}
                  to={toDetails(appointment.id)}
                  helpId={drag.helpId}
                  onKeyDown={drag.onKeyDown}
                />
              ))}
            >
              <BusyLine segments={props.busy.get(date) ?? []} to={toDay(date)} day={formatDay(date, today)} />
              {isDropTarget && dragged && (
                <DraftChip appointment={dragged} time={formatShortClock(localTime(dragged.start, zone), timeFormat)} />
              )}
            </MonthDay>
          )
        })}
      </div>
      <DragAnnouncer announcement={drag.announcement} helpId={drag.helpId} help={help} />
    </DndContext>
  )
}

function useMonthDrag({ days, segments, today, zone, onMove }: MonthGridProps) {
  const findAppointment = (id: number) =>
    [...segments.values()].flat().find(({ appointment }) => appointment.id === id)?.appointment
  const drag = useDragDraft<DayDraft>({
    step: (draft, { key }) => {
      const step = dayStep[key]
      if (!step) return null
      const date = addDays(draft.date, step)
      return days.includes(date) ? { ...draft, date } : draft
    },
    describe: ({ date }) => `${formatDay(date, today)}.`,
    onDrop: ({ id, date }) => {
      const appointment = findAppointment(id)
      if (!appointment || date === localDate(appointment.start, zone)) return
      const length = Date.parse(appointment.end) - Date.parse(appointment.start)
      const start = zonedToInstant(date, localTime(appointment.start, zone), zone)
      onMove(appointment, start, new Date(start.getTime() + length))
    },
  })
  const dndHandlers = {
    onDragStart: ({ active }: DragStartEvent) => drag.startPointerDrag(active.data.current as DayDraft),
    onDragOver: ({ active, over }: DragOverEvent) =>
      over && drag.setDraft({ ...(active.data.current as DayDraft), date: String(over.id) }),
    onDragEnd: ({ over }: { over: unknown }) => drag.endPointerDrag(over !== null),
    onDragCancel: () => drag.endPointerDrag(false),
  }
  return { drag, dragged: drag.draft ? findAppointment(drag.draft.id) : undefined, dndHandlers }
}

const dayStep: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** Moves the focus between the days with the arrow keys. */
function focusNextDay(event: KeyboardEvent, grid: HTMLElement | null) {
  const step = dayStep[event.key]
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey
  const focused = event.target
  if (!step || hasModifier || !grid || !(focused instanceof HTMLElement) || !focused.dataset.day) return
  const links = [...grid.querySelectorAll<HTMLElement>('[data-day]')]
  const next = links[links.indexOf(focused) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
