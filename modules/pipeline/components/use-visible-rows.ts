import { useEffect, useState } from 'react'

/** The number of cards rendered on the server. */
export const pageSize = 12

/** Pixels, with the gap below, until the height is measured. */
const defaultHeight = { card: 102, cardWithButton: 144 }
/** Rows rendered above and below the visible ones. */
const overscan = 4

/**
 * The range of `count` cards to render: those in view and a few around them. All cards of a list have the same height,
 * `rowHeight`, which is measured on the first one.
 */
export function useVisibleRows(
  list: { readonly current: HTMLUListElement | null },
  count: number,
  from: number,
  hasButtons: boolean,
): { first: number; last: number; rowHeight: number } {
  const initialHeight = hasButtons ? defaultHeight.cardWithButton : defaultHeight.card
  const [rowHeight, setRowHeight] = useState(initialHeight)
  const [range, setRange] = useState({ first: from, last: from + pageSize })
  const isEmpty = count === 0

  useEffect(() => {
    const element = list.current
    if (!element) return
    let height = initialHeight
    const updateRange = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / height) - overscan)
      const last = Math.ceil((element.scrollTop + element.clientHeight) / height) + overscan
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    // An observer measures without forcing another layout.
    const observer = new ResizeObserver((entries) => {
      for (const { target, borderBoxSize } of entries)
        if (target !== element) height = borderBoxSize[0]?.blockSize || height
      setRowHeight(height)
      updateRange()
    })
    const observe = () => {
      const card = element.querySelector('.pcard-place')
      observer.disconnect()
      observer.observe(element)
      if (card) observer.observe(card)
    }
    observe()
    element.addEventListener('scroll', updateRange, { passive: true })
    window.addEventListener('resize', observe)
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', updateRange)
      window.removeEventListener('resize', observe)
    }
  }, [list, isEmpty, initialHeight])

  const first = Math.min(range.first, Math.max(0, count - 1))
  return { first, last: Math.min(count, Math.max(range.last, first + 1)), rowHeight }
}
