import { useRevalidator } from '@remix-run/react'
import { useCallback, useEffect, useRef } from 'react'

/**
 * Loads the page anew when the server would answer it. A load that fails, or leads to the sign-in, takes the page away, and what is
 * typed in it.
 */
export function useReload(): () => void {
  const { revalidate } = useRevalidator()
  const latest = useRef(revalidate)
  latest.current = revalidate
  return useCallback(async () => {
    const answer = await fetch('/api/user', { cache: 'no-store' }).catch(() => null)
    if (answer?.ok) latest.current()
  }, [])
}

/** As `useReload`, and by itself when the window is looked at again: another tab may have changed something. */
export function useFresh(): () => void {
  const reload = useReload()
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && reload()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [reload])
  return reload
}
