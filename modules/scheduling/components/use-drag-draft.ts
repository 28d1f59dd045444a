import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'

/** Replaces dnd-kit's announcements, because keyboard drags have their own. */
export const silentAnnouncements = {
  announcements: { onDragStart: noText, onDragOver: noText, onDragEnd: noText, onDragCancel: noText },
  screenReaderInstructions: { draggable: '' },
}
function noText() {
  return undefined
}

/** `ignoresClicks`: right after a drag by pointer. */
type DragState<Draft> = { draft: Draft | null; isKeyboard: boolean; ignoresClicks: boolean }

type Options<Draft> = {
  /** The next draft of a keyboard drag; null for keys without a meaning. */
  step: (draft: Draft, event: KeyboardEvent) => Draft | null
  describe: (draft: Draft) => string
  onDrop: (draft: Draft) => void
}

/**
 * The drag in progress, as a draft of its result. By keyboard, Space picks up the focused item, `step` moves it, Space
 * or Enter drops it, Escape or Tab cancels. The handlers never change.
 */
export function useDragDraft<Draft>(options: Options<Draft>) {
  const [draft, setDraftState] = useState<Draft | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const latest = useRef(options)
  latest.current = options
  const refocusAfterMove = useFocusAfterMove(draft === null)

  const drag = useRef<DragState<Draft>>({ draft: null, isKeyboard: false, ignoresClicks: false })

  const handlers = useMemo(() => {
    function setDraft(next: Draft | null) {
      if (JSON.stringify(next) === JSON.stringify(drag.current.draft)) return
      drag.current.draft = next
      setDraftState(next)
    }
    function endDrag(isDropped: boolean) {
      const last = drag.current.draft
      setDraft(null)
      if (isDropped && last) latest.current.onDrop(last)
    }
    function pickUp(next: Draft) {
      drag.current.isKeyboard = true
      setDraft(next)
      setAnnouncement(`Picked up. ${latest.current.describe(next)}`)
    }
    function endKeyboardDrag(draftAtEnd: Draft, event: KeyboardEvent<HTMLElement>, isDropped: boolean) {
      drag.current.isKeyboard = false
      if (event.key !== 'Tab') refocusAfterMove(event.currentTarget.dataset.appointment)
      endDrag(isDropped)
      setAnnouncement(isDropped ? `Dropped. ${latest.current.describe(draftAtEnd)}` : 'Move cancelled.')
    }

    return {
      setDraft,
      startPointerDrag(next: Draft) {
        drag.current = { ...drag.current, isKeyboard: false, ignoresClicks: true }
        setDraft(next)
      },
      endPointerDrag(isDropped: boolean) {
        endDrag(isDropped)
        setTimeout(() => (drag.current.ignoresClicks = false), 50)
      },
      /** The click that ends a drag must not open a link. */
      onClickCapture(event: MouseEvent) {
        if (!drag.current.ignoresClicks) return
        event.preventDefault()
        event.stopPropagation()
      },
      /** For the link of a draggable item. */
      onKeyDown(event: KeyboardEvent<HTMLElement>, createDraft: () => Draft) {
        if (event.altKey || event.ctrlKey || event.metaKey) return
        const dragged = drag.current.isKeyboard ? drag.current.draft : null
        const endAction = dragged ? endKeys[event.key] : undefined
        const next = dragged && !endAction ? latest.current.step(dragged, event) : null
        if (dragged ? !endAction && !next : event.key !== ' ') return
        if (event.key !== 'Tab') event.preventDefault()
        event.stopPropagation()
        if (!dragged) pickUp(createDraft())
        else if (endAction) endKeyboardDrag(dragged, event, endAction === 'drop')
        else if (next) {
          setDraft(next)
          setAnnouncement(latest.current.describe(next))
        }
      },
    }
  }, [refocusAfterMove])

  return { draft, announcement, helpId: useId(), ...handlers }
}

const endKeys: Record<string, 'drop' | 'cancel'> = { ' ': 'drop', Enter: 'drop', Escape: 'cancel', Tab: 'cancel' }

/** A move by keyboard renders the item elsewhere; give it the focus again. */
function useFocusAfterMove(isDone: boolean): (appointmentId: string | undefined) => void {
  const id = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (!isDone || !id.current) return
    document.querySelector<HTMLElement>(`[data-appointment="${id.current}"]`)?.focus()
    id.current = undefined
  })
  return useMemo(() => (appointmentId) => void (id.current = appointmentId), [])
}
