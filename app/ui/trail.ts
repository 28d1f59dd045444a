import { useLocation } from '@remix-run/react'
import { useEffect } from 'react'

/** Where each entry of the browser's history leads, by its place there: as far as it was walked since the page was loaded. */
const trail = new Map<number, string>()

/** Notes where one is. */
export function useTrail(): void {
  const { pathname, search, key } = useLocation()
  useEffect(() => {
    const at = place()
    if (at !== null) trail.set(at, pathname + search)
  }, [pathname, search, key])
}

/** How many steps back in the history `address` lies, with nothing but the same page in between; 0: it doesn't. */
export function stepsBackTo(address: string): number {
  const here = place()
  if (here === null) return 0
  for (let at = here - 1; samePage(trail.get(at), address); at--) if (trail.get(at) === address) return here - at
  return 0
}

const samePage = (one: string | undefined, other: string): boolean => one?.split('?')[0] === other.split('?')[0]

/** The router counts the entries of the history. */
function place(): number | null {
  const state = window.history.state as { idx?: unknown } | null
  return typeof state?.idx === 'number' ? state.idx : null
}
