import { useEffect, useState } from 'react'
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
    const timer = setTimeout(async () => {
      try {
        const response = await fetch(`/api/search?${new URLSearchParams({ q: wanted })}`, { signal: gone.signal })
        if (response.status === 401) return setState({ status: 'failed', signedOut: true })
        if (!response.ok || response.redirected) throw new Error(`search answered ${response.status}`)
        setState({ status: 'done', results: await response.json() })
      } catch {
        if (!gone.signal.aborted) setState({ status: 'failed', signedOut: false })
      }
    }, 120)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [wanted, attempt])

  return { state, again: () => setAttempt((count) => count + 1) }
}
