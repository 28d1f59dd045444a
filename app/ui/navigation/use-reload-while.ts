import { useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'

/** Reloads the page's data each second while something is in progress. */
export function useReloadWhile(isBusy: boolean): void {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (!isBusy || state !== 'idle') return
    const timer = setTimeout(revalidate, 1000)
    return () => clearTimeout(timer)
  }, [isBusy, revalidate, state])
}
