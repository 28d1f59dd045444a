import { useNavigation } from '@remix-run/react'
import { useCallback, useEffect, useRef } from 'react'
import { useRevalidate } from './revalidate.ts'

/**
 * Reloads the page's data when its window gets the focus, and when another tab with the same `channel` changes
 * something. The returned function reloads this tab and the others, see `useRevalidate`.
 */
export function useRevalidateAcrossTabs(channel: string): () => Promise<boolean> {
  const revalidate = useRevalidate()
  const otherTabs = useRef<BroadcastChannel | null>(null)

  useEffect(() => {
    const onChange = () => document.visibilityState === 'visible' && void revalidate()
    otherTabs.current = new BroadcastChannel(channel)
    otherTabs.current.onmessage = onChange
    window.addEventListener('focus', onChange)
    document.addEventListener('visibilitychange', onChange)
    return () => {
      otherTabs.current?.close()
      otherTabs.current = null
      window.removeEventListener('focus', onChange)
      document.removeEventListener('visibilitychange', onChange)
    }
  }, [channel, revalidate])

  const notify = useCallback(() => otherTabs.current?.postMessage('changed'), [])
  useAfterSubmit(notify)
  return useCallback(() => {
    const begun = revalidate()
    notify()
    return begun
  }, [revalidate, notify])
}

/** Calls `onDone` when a form of this page was submitted and its navigation has ended. */
function useAfterSubmit(onDone: () => void): void {
  const { state, formMethod } = useNavigation()
  const submitted = useRef(false)
  useEffect(() => {
    if (formMethod === 'POST') submitted.current = true
    if (state !== 'idle' || !submitted.current) return
    submitted.current = false
    onDone()
  }, [state, formMethod, onDone])
}
