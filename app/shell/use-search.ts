import { useEffect, useState } from 'react'
import { foundTogether, searchLimit } from '#app/lib/search-results.ts'
import type { Found } from '#modules/registry.ts'

export type SearchState =
  | { status: 'idle' }
  | { status: 'loading'; results: Found[] }
  | { status: 'done'; results: Found[] }
  | { status: 'failed'; signedOut: boolean }

/** Asks for what `term` finds, as it is typed. Needs more than 2 characters. `again` asks once more after a failure. */
export function useSearch(term: string): { state: SearchState; again: () => void } {
  const [state, setState] = useState<SearchState>({ status: 'idle' })
  const [attempt, setAttempt] = useState(0)
  const wanted = term.trim()

  useEffect(() => {
    if ([...wanted].length <= 2) return setState({ status: 'idle' })
    const gone = new AbortController()
    setState((before) => ({ status: 'loading', results: 'results' in before ? before.results : [] }))
    const ask = async (more = {}): Promise<Found[]> => {
      const response = await fetch(`/api/search?${new URLSearchParams({ q: wanted, ...more })}`, {
        signal: gone.signal,
      })
      if (!response.ok || response.redirected) throw response
      return response.json()
    }
    const timer = setTimeout(async () => {
      try {
        // What is noted comes behind the names, which needn't wait for it.
        const named = await ask()
        const full = named.length === searchLimit
        if (named.length) setState({ status: full ? 'done' : 'loading', results: named })
        if (!full) setState({ status: 'done', results: foundTogether(named, await ask({ in: 'words' })) })
      } catch (error) {
        if (!gone.signal.aborted)
          setState({ status: 'failed', signedOut: error instanceof Response && error.status === 401 })
      }
    }, 120)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [wanted, attempt])

  return { state, again: () => setAttempt((count) => count + 1) }
}
