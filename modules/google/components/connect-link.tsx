import { useEffect, useState, type MouseEvent } from 'react'
import { buttonClass } from '#app/ui/components/button.tsx'
import { Spinner } from '#app/ui/components/spinner.tsx'
import { useRevalidate } from '#app/ui/navigation/revalidate.ts'
import { channelName } from '../connect-result.ts'

/**
 * Opens a popup in which the coach agrees at Google. Without scripts, or if popups are blocked, this page goes there.
 */
export function ConnectLink({ label }: { label: string }) {
  const [isWaiting, setWaiting] = useState(false)
  const revalidate = useRevalidate()
  useEffect(() => {
    if (!isWaiting) return
    // Whether the popup is still open can't be seen: who comes back to this page may connect again.
    const stopWaiting = () => setWaiting(false)
    window.addEventListener('focus', stopWaiting)
    return () => window.removeEventListener('focus', stopWaiting)
  }, [isWaiting])

  const connect = (event: MouseEvent<HTMLAnchorElement>) => {
    if (isWaiting) return event.preventDefault()
    // Inside the click, or browsers block it; its address comes later.
    const popup = window.open('', channelName, 'popup,width=500,height=600')
    if (!popup) return
    event.preventDefault()
    setWaiting(true)
    import('./connect-popup.ts')
      .then(({ connectInPopup }) => connectInPopup(popup))
      .then(revalidate)
      .finally(() => setWaiting(false))
  }
  return (
    <a
      href="/google/connect"
      className={`${buttonClass('primary')} justify-self-start`}
      aria-busy={isWaiting || undefined}
      onClick={connect}
    >
      {isWaiting && <Spinner />}
      {label}
    </a>
  )
}
