import { useFetcher as useRemixFetcher } from '@remix-run/react'
import { useState } from 'react'

/**
 * Remix's fetcher, safe to use in the dependencies of effects. Remix changes its map of fetchers before React's state:
 * on a busy browser a render that React then drops has already read the new data, and from then on the effects that
 * depend on it see no change and never run. Keeping the fetcher in the state prevents React from dropping that render.
 */
export function useFetcher<T = unknown>(options?: Parameters<typeof useRemixFetcher>[0]) {
  const fetcher = useRemixFetcher<T>(options)
  const [current, setCurrent] = useState(fetcher)
  if (current !== fetcher) setCurrent(fetcher)
  return fetcher
}
