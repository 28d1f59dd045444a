import { useDraggable } from '@dnd-kit/core'
import { memo, type CSSProperties, type KeyboardEvent } from 'react'
import { formatShortClock, formatTimeRange } from '#app/lib/clock.ts'
import { localTime } from '#app/lib/time.ts'
import { useTimeFormat } from '#app/ui/components/time-format.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { minutesToTime } from '../day-segments.ts'
import type { ListedAppointment } from '../records.ts'
import { TypeDot } from './type-dot.tsx'
import { toDraft, type SessionSegment, type TimeDraft } from './time-grid-draft.ts'

type SessionBlockProps = {
  segment: SessionSegment
  zone: string
  /** In a narrow column, times are shown without AM and PM. */
  isNarrow: boolean
  isOpen: boolean
  isDragged: boolean
  to: string
  helpId: string
  onKeyDown: (event: KeyboardEvent<HTMLElement>, createDraft: () => TimeDraft) => void
}

/** A session on the hours of a day, which can be dragged as a whole and by its lower edge. */
export const SessionBlock = memo(function SessionBlock({
  segment,
  zone,
  isNarrow,
  isOpen,
  isDragged,
  to,
  helpId,
  onKeyDown,
}: SessionBlockProps) {
  const { appointment, date, from, to: until, lane, lanes, startsHere, endsHere } = segment
  const { id, title, attendeeName, status, start, end, color } = appointment
  const whole = useDraggable({ id: `whole ${id} ${date}`, data: { segment, handle: 'whole' }, disabled: !startsHere })
  const isShort = until - from <= 30
  const [startTime, endTime] = [localTime(start, zone), localTime(end, zone)]
  const timeFormat = useTimeFormat()
  const times = formatTimeRange(startTime, endTime, timeFormat)
  return (
    <div
      ref={whole.setNodeRef}
      {...whole.listeners}
      className={[
        `tg-ev st-${status}`,
        isShort && 'is-low',
        until - from < 20 && 'is-slim',
        isOpen && 'is-open',
        isDragged && 'is-lifted',
      ]
        .filter(Boolean)
        .join(' ')}
      style={blockStyle(from, until, lane, lanes)}
      title={`${times} ${attendeeName}, ${title}, ${status}`}
    >
      <Link
        to={to}
        preventScrollReset
        draggable={false}
        data-appointment={id}
        aria-describedby={startsHere ? helpId : undefined}
        onKeyDown={(event) => startsHere && onKeyDown(event, () => toDraft(segment, 'whole'))}
      >
        <TypeDot color={color} className="mr-1" />
        {attendeeName}
        {!isNarrow && (
          <span className="font-normal text-ink-2" aria-hidden="true">
            , {title}
          </span>
        )}
        <span className="sr-only">
          , {title}, {times}, {status}
        </span>
      </Link>
      <span aria-hidden="true">
        {isShort
          ? formatShortClock(startTime, timeFormat)
          : isNarrow
            ? `${formatShortClock(startTime, timeFormat)} – ${formatShortClock(endTime, timeFormat)}`
            : times}
      </span>
      {isNarrow && until - from >= 75 && <span aria-hidden="true">{title}</span>}
      {startsHere && endsHere && <EndHandle segment={segment} />}
    </div>
  )
})

function EndHandle({ segment }: { segment: SessionSegment }) {
  const { setNodeRef, listeners } = useDraggable({
    id: `end ${segment.appointment.id} ${segment.date}`,
    data: { segment, handle: 'end' },
  })
  return <i ref={setNodeRef} {...listeners} className="tg-edge" aria-hidden="true" />
}

/** Shows the drop position. */
export function DraftBlock({ draft, appointment }: { draft: TimeDraft; appointment: ListedAppointment }) {
  const times = formatTimeRange(minutesToTime(draft.from), minutesToTime(draft.to), useTimeFormat())
  return (
    <div
      className={`tg-ev is-dragging st-${appointment.status}`}
      style={{ ...blockStyle(draft.from, Math.min(draft.to, 1440), 0, 1), pointerEvents: 'none' }}
      aria-hidden="true"
    >
      <b>{times}</b>
      <span>{appointment.attendeeName}</span>
    </div>
  )
}

function blockStyle(from: number, to: number, lane: number, lanes: number): CSSProperties {
  return {
    top: offsetTop(from),
    height: `calc(${offsetTop(to - from)} - 2px)`,
    left: `calc(${(100 * lane) / lanes}% + 2px)`,
    width: `calc(${100 / lanes}% - 4px)`,
  }
}

/** CSS length of minutes on the grid. */
export const offsetTop = (minutes: number): string => `calc(var(--hour) * ${minutes / 60})`
