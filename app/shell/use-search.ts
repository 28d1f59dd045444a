import { useEffect, useState } from 'react'
import { mergeHits, searchLimit } from '#app/lib/search.ts'
import type { SearchResult } from '#modules/core/search.ts'

/** `query` is the term that the results belong to: while loading, they may still be those of an earlier term. */
export type SearchState =
  | { status: 'idle' }
  | { status: 'loading' | 'done'; query: string; results: SearchResult[] }
  | { status: 'failed'; signedOut: boolean }

const debounceMs = 120

export const canSearch = (term: string): boolean => [...term.trim()].length >= 3

/** Searches while the user types. Idle below 3 characters. */
export function useSearch(term: string): { state: SearchState; retry: () => void } {
  const [state, setState] = useState<SearchState>({ status: 'idle' })
  const [attempt, setAttempt] = useState(0)
  const query = term.trim()

  useEffect(() => {
    if (!canSearch(query)) return setState({ status: 'idle' })
    const controller = new AbortController()
    setState((before) =>
      'results' in before ? { ...before, status: 'loading' } : { status: 'loading', query: '', results: [] },
    )
    const fetchResults = async (params = {}): Promise<SearchResult[]> => {
      const response = await fetch(`/api/search?${new URLSearchParams({ q: query, ...params })}`, {
        signal: controller.signal,
      })
      if (!response.ok || response.redirected) throw response
      return response.json()
    }
    const timer = setTimeout(async () => {
      try {
        // Show name matches at once: the search in texts is slower.
        const byName = await fetchResults()
        const isFull = byName.length === searchLimit
        if (byName.length) setState({ status: isFull ? 'done' : 'loading', query, results: byName })
        if (!isFull) {
          const byContent = await fetchResults({ in: 'content' })
          setState({ status: 'done', query, results: mergeHits(byName, byContent) })
        }
      } catch (error) {
        if (!controller.signal.aborted)
          setState({ status: 'failed', signedOut: error instanceof Response && error.status === 401 })
      }
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [query, attempt])

  return { state, retry: () => setAttempt((count) => count + 1) }
}
