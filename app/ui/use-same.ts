import { useMemo, useRef } from 'react'

/**
 * Keeps the items that haven't changed, so that what shows them need not render when the page loads its data again. The
 * array is new with each load: `useOptimisticMoves` notices by it that data have arrived.
 */
export function useSame<Item extends { id: number | string }>(loaded: Item[]): Item[] {
  const kept = useRef(loaded)
  return useMemo(() => {
    const before = new Map(kept.current.map((item) => [item.id, item]))
    kept.current = loaded.map((item) => {
      const former = before.get(item.id)
      return former && JSON.stringify(former) === JSON.stringify(item) ? former : item
    })
    return kept.current
  }, [loaded])
}
