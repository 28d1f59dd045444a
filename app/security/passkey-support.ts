import { useEffect, useState } from 'react'

/** Undefined until scripts have loaded. */
export function usePasskeySupport(): boolean | undefined {
  const [isSupported, setIsSupported] = useState<boolean>()
  useEffect(() => setIsSupported('PublicKeyCredential' in window), [])
  return isSupported
}

/** The browser's own messages are for developers. */
export function describePasskeyError(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'SecurityError') return `Passkeys don’t work at ${window.location.host}. Use your password instead.`
  if (name === 'TypeError') return 'The server could not be reached. Please try again.'
  return 'The passkey was not confirmed. Try again or use your password.'
}
