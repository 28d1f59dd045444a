import { useFetchers, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { topModal } from '#app/ui/components/modal-stack.ts'

/** A thin bar while a page loads slowly. Hidden from screen readers: the loaded page announces itself. */
export function NavigationProgress() {
  const navigation = useNavigation()
  const requests = [navigation, ...useFetchers()]
  useFocusAfterWrites({
    isWriting: requests.some(({ formMethod }) => formMethod && formMethod !== 'GET'),
    isIdle: requests.every(({ state }) => state === 'idle'),
  })
  return navigation.state === 'idle' ? null : <div className="navigation-progress no-print" aria-hidden="true" />
}

/** If a write removed the focused control, moves the focus to the page, or to the open dialog. */
function useFocusAfterWrites({ isWriting, isIdle }: { isWriting: boolean; isIdle: boolean }) {
  const hasWritten = useRef(false)
  useEffect(() => {
    if (isWriting) hasWritten.current = true
    if (!isIdle || !hasWritten.current) return
    hasWritten.current = false
    // Toasts and dialogs close shortly after the response.
    setTimeout(() => {
      if (document.activeElement && document.activeElement !== document.body) return
      const target = topModal()?.querySelector<HTMLElement>('button, a[href]') ?? document.getElementById('main')
      target?.focus({ preventScroll: true })
    }, 50)
  }, [isWriting, isIdle])
}
