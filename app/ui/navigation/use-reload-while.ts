import { useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'
import { isAskingToLeave } from './revalidate.ts'

/** Reloads the page's data each second while something is in progress. */
export function useReloadWhile(isBusy: boolean): void {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (!isBusy || state !== 'idle') return
    const timer = setInterval(() => {
      if (!isAskingToLeave()) revalidate()
    }, 1000)
    return () => clearInterval(timer)
  }, [isBusy, revalidate, state])
}
