import type { KeyboardEvent } from 'react'
import { zonedToInstant } from '#app/lib/time.ts'
import { minutesToTime, type Segment } from '../day-segments.ts'
import type { ListedAppointment } from '../records.ts'

export type SessionSegment = Segment<ListedAppointment>
/** Drag the whole session, or its end. */
export type DragHandle = 'whole' | 'end'
/** The drop position of a session, in minutes of a day. */
export type TimeDraft = { id: number; handle: DragHandle; date: string; from: number; to: number }

const stepMinutes = 15
const dayMinutes = 1440

export function toDraft({ appointment: { id }, date, from, to }: SessionSegment, handle: DragHandle): TimeDraft {
  return { id, handle, date, from, to }
}

/** The draft after a pointer moved by `pixels`; `day` is the size of a day's column. */
export function dragBy(
  segment: SessionSegment,
  handle: DragHandle,
  pixels: { x: number; y: number },
  day: { width: number; height: number },
  days: string[],
): TimeDraft {
  const minutes = Math.round((pixels.y / day.height) * (dayMinutes / stepMinutes)) * stepMinutes
  const draft = toDraft(segment, handle)
  return handle === 'end' ? moveEnd(draft, minutes) : moveWhole(draft, Math.round(pixels.x / day.width), minutes, days)
}

/** The draft after a key; null for keys that don't move it. Shift with up or down moves the end. */
export function stepDraft(draft: TimeDraft, { key, shiftKey }: KeyboardEvent, days: string[]): TimeDraft | null {
  const across = { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0
  const minutes = { ArrowUp: -stepMinutes, ArrowDown: stepMinutes }[key] ?? 0
  if (!across && !minutes) return null
  if (shiftKey) return minutes ? moveEnd(draft, minutes) : draft
  return moveWhole(draft, across, minutes, days)
}

function moveEnd(draft: TimeDraft, minutes: number): TimeDraft {
  return { ...draft, to: Math.min(dayMinutes, Math.max(draft.from + stepMinutes, draft.to + minutes)) }
}

function moveWhole(draft: TimeDraft, across: number, minutes: number, days: string[]): TimeDraft {
  const length = draft.to - draft.from
  const from = Math.max(0, Math.min(draft.from + minutes, Math.max(dayMinutes - length, 0)))
  const date = days[Math.min(days.length - 1, Math.max(0, days.indexOf(draft.date) + across))]!
  return { ...draft, date, from, to: from + length }
}

/** The new times of a dropped session; null if it didn't move. */
export function dropTimes(draft: TimeDraft, segment: SessionSegment, zone: string): { start: Date; end: Date } | null {
  const { appointment, date, from, to } = segment
  if (draft.date === date && draft.from === from && draft.to === to) return null
  const [oldStart, oldEnd] = [new Date(appointment.start), new Date(appointment.end)]
  const isSameStart = draft.date === date && draft.from === from
  const start = isSameStart ? oldStart : zonedToInstant(draft.date, minutesToTime(draft.from), zone)
  // A move keeps the real length, also across a daylight saving change.
  const isSameLength = draft.to - draft.from === to - from
  const end = isSameLength
    ? new Date(start.getTime() + oldEnd.getTime() - oldStart.getTime())
    : zonedToInstant(draft.date, minutesToTime(draft.to), zone, start)
  return { start, end }
}
