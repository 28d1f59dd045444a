import { useDraggable } from '@dnd-kit/core'
import { memo, type KeyboardEvent } from 'react'
import { Link } from '#app/ui/navigation/link.tsx'
import { shortenName } from '../format.ts'
import type { ListedAppointment } from '../records.ts'
import { TypeDot } from './type-dot.tsx'

/** The drop position of a session. */
export type DayDraft = { id: number; date: string }

type MonthChipProps = {
  appointment: ListedAppointment
  date: string
  time: string
  /** False on the second and later days of a session. */
  canMove: boolean
  isOpen: boolean
  isDragged: boolean
  to: string
  helpId: string
  onKeyDown: (event: KeyboardEvent<HTMLElement>, createDraft: () => DayDraft) => void
}

/** A session on a day of the month. */
export const MonthChip = memo(function MonthChip({
  appointment: { id, title, attendeeName, status, color },
  date,
  time,
  canMove,
  isOpen,
  isDragged,
  to,
  helpId,
  onKeyDown,
}: MonthChipProps) {
  const draft: DayDraft = { id, date }
  const { setNodeRef, listeners } = useDraggable({ id: `${id} ${date}`, data: draft, disabled: !canMove })
  return (
    <Link
      ref={setNodeRef as (element: HTMLAnchorElement | null) => void}
      {...listeners}
      to={to}
      preventScrollReset
      draggable={false}
      data-appointment={id}
      aria-describedby={canMove ? helpId : undefined}
      onKeyDown={(event) => canMove && onKeyDown(event, () => draft)}
      className={`ev st-${status}${isOpen ? ' is-open' : ''}${isDragged ? ' is-lifted' : ''}`}
      title={`${time} ${attendeeName}, ${title}, ${status}`}
    >
      <time>{time}</time>
      <ShortName name={attendeeName} />
      <TypeDot color={color} className="ml-auto" />
      <span className="sr-only">
        , {title}, {status}
      </span>
    </Link>
  )
})

/** 'Priya R.', in narrow days 'Priya'. */
function ShortName({ name }: { name: string }) {
  const [first, ...initial] = shortenName(name).split(' ')
  return (
    <span>
      {first}
      {initial.length > 0 && <span className="last-name"> {initial.join(' ')}</span>}
    </span>
  )
}

/** Shows the drop position. */
export function DraftChip({ appointment, time }: { appointment: ListedAppointment; time: string }) {
  return (
    <span className={`ev is-dragging st-${appointment.status}`} aria-hidden="true">
      <time>{time}</time>
      <ShortName name={appointment.attendeeName} />
    </span>
  )
}
