import { useFetchers, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { topLayer } from '#app/ui/components/modal-stack.ts'

/** A thin bar while a page is on its way; quick ones come without. For eyes alone: it says nothing that the page won't say. */
export function Underway() {
  const navigation = useNavigation()
  const fetchers = useFetchers()
  const all = [navigation, ...fetchers]
  useFocusAfterWrites({
    writing: all.some(({ formMethod }) => formMethod && formMethod !== 'GET'),
    resting: all.every(({ state }) => state === 'idle'),
  })
  return navigation.state === 'idle' ? null : <div className="underway no-print" aria-hidden="true" />
}

/** When what was pressed has gone with the answer, the keyboard goes on from the page, or from the dialog that is open. */
function useFocusAfterWrites({ writing, resting }: { writing: boolean; resting: boolean }) {
  const wrote = useRef(false)
  useEffect(() => {
    if (writing) wrote.current = true
    if (!resting || !wrote.current) return
    wrote.current = false
    // A toast and a dialog go after the answer has come.
    setTimeout(() => {
      if (document.activeElement && document.activeElement !== document.body) return
      const place = topLayer()?.querySelector<HTMLElement>('button, a[href]') ?? document.getElementById('main')
      place?.focus({ preventScroll: true })
    }, 50)
  }, [writing, resting])
}
