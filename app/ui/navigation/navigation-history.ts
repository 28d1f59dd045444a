import { useLocation, useNavigate, useNavigationType } from '@remix-run/react'
import { useEffect } from 'react'

/** Where each entry of the browser's history leads, by its place there: as far as it was walked since the page was loaded. */
const trail = new Map<number, string>()
/** The entry that one was on before this one. */
let before: number | null = null

/**
 * Notes where one is. What a dialog's form leads to takes the dialog's place, often next to the same page: Back passes over
 * the two as over one.
 */
export function useTrail(): void {
  const { pathname, search, hash, key } = useLocation()
  const type = useNavigationType()
  const navigate = useNavigate()
  useEffect(() => {
    const at = place()
    if (at === null) return
    const here = pathname + search + hash
    const twice = type === 'POP' && before === at + 1 && trail.get(before) === here && trail.get(at) === here
    trail.set(at, here)
    before = at
    if (twice) navigate(-1)
    // Of a new entry each value but its key may be as before.
  }, [pathname, search, hash, key, type, navigate])
}

/** How many steps back in the history `address` lies, with nothing but the same page in between; 0: it doesn't. */
export function stepsBackTo(address: string): number {
  const here = place()
  if (here === null) return 0
  for (let at = here - 1; samePage(trail.get(at), address); at--)
    if (trail.get(at)?.split('#')[0] === address) return here - at
  return 0
}

const samePage = (one: string | undefined, other: string): boolean => one?.split(/[?#]/)[0] === other.split('?')[0]

/** The router counts the entries of the history. */
function place(): number | null {
  const state = window.history.state as { idx?: unknown } | null
  return typeof state?.idx === 'number' ? state.idx : null
}
