import { useSubmit } from '@remix-run/react'
import { useState } from 'react'
import { Button } from '#app/ui/components/button.tsx'
import { showToast } from '#app/ui/components/toast-bus.ts'
import { describePasskeyError, usePasskeySupport } from './passkey-support.ts'

/** Signs in with a passkey. Appears once scripts have loaded, in browsers that support it. */
export function PasskeySignIn() {
  const isSupported = usePasskeySupport()
  const submit = useSubmit()
  const [isWaiting, setIsWaiting] = useState(false)
  if (!isSupported) return null
  async function signIn() {
    setIsWaiting(true)
    try {
      const [{ startAuthentication }, options] = await Promise.all([
        import('@simplewebauthn/browser'),
        fetch('/auth/passkey').then((response) => response.json()),
      ])
      const response = JSON.stringify(await startAuthentication({ optionsJSON: options }))
      submit({ intent: 'passkey', response }, { method: 'post' })
    } catch (error) {
      showToast({ tone: 'error', title: 'Login failed', text: describePasskeyError(error) })
    }
    setIsWaiting(false)
  }
  return (
    <Button size="lg" className="mt-3 w-full" busy={isWaiting} busyLabel="Waiting..." onClick={() => void signIn()}>
      Use a Passkey
    </Button>
  )
}
