import { useBlocker } from '@remix-run/react'
import { useCallback, useEffect, useRef } from 'react'

const question = 'Leave without saving? What you changed here is not saved yet.'

/**
 * Asks before a page is left with edits that aren't saved. Spread the answer over the form. `refused`: the answer to the
 * last try, after which the edits are unsaved again.
 */
export function useUnsaved(refused: unknown): { onInput: () => void; onSubmit: () => void } {
  const edited = useRef(false)
  if (refused) edited.current = true

  const { state, proceed, reset } = useBlocker(({ currentLocation, nextLocation }) => edited.current && currentLocation.key !== nextLocation.key)
  useEffect(() => {
    if (state !== 'blocked') return
    if (window.confirm(question)) proceed()
    else reset()
  }, [state, proceed, reset])

  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => {
      if (edited.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', onLeave)
    return () => window.removeEventListener('beforeunload', onLeave)
  }, [])

  return {
    onInput: useCallback(() => void (edited.current = true), []),
    onSubmit: useCallback(() => void (edited.current = false), []),
  }
}
