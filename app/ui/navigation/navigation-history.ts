import { useLocation, useNavigate, useNavigationType } from '@remix-run/react'
import { useEffect } from 'react'

/** The URL of each history entry visited since page load, by index. */
const visitedUrls = new Map<number, string>()
let previousIndex: number | null = null

/**
 * Tracks the history entries. The redirect after a dialog's form replaces the dialog's entry, which often leaves the
 * same page twice in a row; Back then skips the duplicate.
 */
export function useHistoryStack(): void {
  const { pathname, search, hash, key } = useLocation()
  const type = useNavigationType()
  const navigate = useNavigate()
  useEffect(() => {
    const index = historyIndex()
    if (index === null) return
    const url = pathname + search + hash
    const isBack = type === 'POP' && previousIndex === index + 1
    const isDuplicate = isBack && visitedUrls.get(index + 1) === url && visitedUrls.get(index) === url
    visitedUrls.set(index, url)
    previousIndex = index
    if (isDuplicate) navigate(-1)
    // A new entry can differ from the last one in its key alone.
  }, [pathname, search, hash, key, type, navigate])
}

/**
 * The number of steps back from a dialog to `closeTo`, the URL of its page without it, if only the same page is in
 * between, or to another page that the dialog was opened from. 0 if neither is in the history.
 */
export function stepsBackTo(closeTo: string): number {
  const current = historyIndex()
  if (current === null) return 0
  const opener = visitedUrls.get(current - 1)
  if (opener && !isSamePage(opener, closeTo)) return 1
  for (let index = current - 1; isSamePage(visitedUrls.get(index), closeTo); index--)
    if (visitedUrls.get(index)?.split('#')[0] === closeTo) return current - index
  return 0
}

const isSamePage = (a: string | undefined, b: string): boolean => a?.split(/[?#]/)[0] === b.split('?')[0]

/** The index of the current history entry, as stored by the router. */
function historyIndex(): number | null {
  const state = window.history.state as { idx?: unknown } | null
  return typeof state?.idx === 'number' ? state.idx : null
}
