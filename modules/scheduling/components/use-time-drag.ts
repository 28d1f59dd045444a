import type { DragMoveEvent, DragStartEvent } from '@dnd-kit/core'
import { useRef, type RefObject } from 'react'
import { formatTimeRange } from '#app/lib/clock.ts'
import { useTimeFormat } from '#app/ui/components/time-format.ts'
import { minutesToTime } from '../day-segments.ts'
import { formatDay } from '../format.ts'
import { dragBy, dropTimes, stepDraft, toDraft, type DragHandle, type SessionSegment } from './time-grid-draft.ts'
import type { TimeDraft } from './time-grid-draft.ts'
import { useDragDraft } from './use-drag-draft.ts'
import type { OnMove } from './use-optimistic-moves.ts'

type DragData = { segment: SessionSegment; handle: DragHandle }
type Options = {
  grid: RefObject<HTMLElement>
  days: string[]
  segments: Map<string, SessionSegment[]>
  today: string
  zone: string
  onMove: OnMove
}

/** Drags of sessions on the grid of hours, and the handlers for DndContext. */
export function useTimeDrag({ grid, days, segments, today, zone, onMove }: Options) {
  const timeFormat = useTimeFormat()
  const findSegment = (id: number) =>
    [...segments.values()].flat().find(({ appointment, startsHere }) => appointment.id === id && startsHere)
  const drag = useDragDraft<TimeDraft>({
    step: (draft, event) => stepDraft(draft, event, days),
    describe: ({ date, from, to }) =>
      `${formatDay(date, today)}, ${formatTimeRange(minutesToTime(from), minutesToTime(to), timeFormat)}.`,
    onDrop: (draft) => {
      const segment = findSegment(draft.id)
      const times = segment && dropTimes(draft, segment, zone)
      if (times) onMove(segment.appointment, times.start, times.end)
    },
  })
  const pointerDrag = useRef<DragData | null>(null)

  const dndHandlers = {
    onDragStart({ active }: DragStartEvent) {
      const { segment, handle } = active.data.current as DragData
      pointerDrag.current = { segment, handle }
      drag.startPointerDrag(toDraft(segment, handle))
    },
    onDragMove({ delta }: DragMoveEvent) {
      const day = grid.current?.querySelector('.tg-day')?.getBoundingClientRect()
      if (!pointerDrag.current || !day) return
      const { segment, handle } = pointerDrag.current
      drag.setDraft(dragBy(segment, handle, delta, day, days))
    },
    onDragEnd: () => drag.endPointerDrag(true),
    onDragCancel: () => drag.endPointerDrag(false),
  }
  const draggedSession = drag.draft ? findSegment(drag.draft.id)?.appointment : undefined
  return { ...drag, draggedSession, dndHandlers }
}
