import { MouseSensor, TouchSensor, useSensor, useSensors } from '@dnd-kit/core'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'

/** For DndContext: the mouse after 3 px, a finger that rests for a moment; one that only scrolls is gone before that. */
export function usePointers() {
  return useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 3 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
  )
}

/** What dnd-kit would say of a drag by keyboard: here keys have words of their own. */
export const silent = {
  announcements: { onDragStart: none, onDragOver: none, onDragEnd: none, onDragCancel: none },
  screenReaderInstructions: { draggable: '' },
}
function none() {
  return undefined
}

/**
 * What is in the hand, and where it would land. By keyboard: Space lifts what has the focus, keys change the draft
 * (`step` answers the next one, null for a key that means nothing), Space or Enter drops it, Escape lays it back.
 * `words` tells where it is.
 */
export function useHand<Draft>({
  step,
  words,
  drop,
}: {
  step: (draft: Draft, event: KeyboardEvent) => Draft | null
  words: (draft: Draft) => string
  drop: (draft: Draft) => void
}) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const [said, setSaid] = useState('')
  const held = useRef<Draft | null>(null)
  const byKeys = useRef(false)
  const dragged = useRef(false)
  const refocus = useRef<string | null>(null)
  const helpId = useId()

  // What was moved by keys stands elsewhere now, and keeps the focus.
  useEffect(() => {
    if (draft || !refocus.current) return
    document.querySelector<HTMLElement>(`[data-appointment="${refocus.current}"]`)?.focus()
    refocus.current = null
  })

  const hold = (next: Draft | null) => {
    if (JSON.stringify(next) === JSON.stringify(held.current)) return
    held.current = next
    setDraft(next)
  }
  const lay = (dropped: boolean) => {
    const last = held.current
    hold(null)
    if (dropped && last) drop(last)
  }

  return {
    draft,
    said,
    helpId,
    /** Of a drag by pointer. */
    lift(next: Draft) {
      dragged.current = true
      byKeys.current = false
      hold(next)
    },
    aim: hold,
    lay(dropped: boolean) {
      lay(dropped)
      setTimeout(() => (dragged.current = false), 50)
    },
    /** The press that ends a drag opens nothing. */
    onClickCapture(event: MouseEvent) {
      if (!dragged.current) return
      event.preventDefault()
      event.stopPropagation()
    },
    /** For the link of something that can be lifted. */
    onKeyDown(event: KeyboardEvent<HTMLElement>, begin: () => Draft) {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      const current = byKeys.current ? held.current : null
      if (!current) {
        if (event.key !== ' ') return
        event.preventDefault()
        event.stopPropagation()
        byKeys.current = true
        const next = begin()
        hold(next)
        return setSaid(`Lifted. ${words(next)}`)
      }
      const end =
        event.key === ' ' || event.key === 'Enter'
          ? 'dropped'
          : event.key === 'Escape' || event.key === 'Tab'
            ? 'laid back'
            : null
      const next = end ? null : step(current, event)
      if (!end && !next) return
      if (event.key !== 'Tab') event.preventDefault()
      event.stopPropagation()
      if (next) {
        hold(next)
        return setSaid(words(next))
      }
      byKeys.current = false
      refocus.current = event.key === 'Tab' ? null : (event.currentTarget.dataset.appointment ?? null)
      lay(end === 'dropped')
      setSaid(end === 'dropped' ? `Dropped. ${words(current)}` : 'Laid back where it was.')
    },
  }
}
