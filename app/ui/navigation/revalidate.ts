import { useRevalidator } from '@remix-run/react'
import { useCallback, useRef } from 'react'

/**
 * Returns a function that reloads the page's data if the server can be reached and the user is signed in. Otherwise the
 * reload would replace the page, with its input, by an error or the sign-in page. Its promise resolves with whether the
 * reload has begun; then loads that had begun before are cancelled.
 */
export function useRevalidate(): () => Promise<boolean> {
  const { revalidate } = useRevalidator()
  const latest = useRef(revalidate)
  latest.current = revalidate
  return useCallback(async () => {
    const response = await fetch('/api/user', { cache: 'no-store' }).catch(() => null)
    if (!response?.ok) return false
    latest.current()
    return true
  }, [])
}
