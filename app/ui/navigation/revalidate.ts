import { useRevalidator } from '@remix-run/react'
import { useCallback, useRef } from 'react'

/**
 * Returns a function that reloads the page's data if the server can be reached and the user is signed in. Otherwise the
 * reload would replace the page, with its input, by an error or the sign-in page.
 */
export function useRevalidate(): () => void {
  const { revalidate } = useRevalidator()
  const latest = useRef(revalidate)
  latest.current = revalidate
  return useCallback(async () => {
    const response = await fetch('/api/user', { cache: 'no-store' }).catch(() => null)
    if (response?.ok) latest.current()
  }, [])
}
