import type { ToastMessage } from '#app/lib/flash.ts'

/** The toast that a response sets; its signature isn't checked. */
export function readSetToast(setCookies: string[]): ToastMessage | null {
  const [, encoded] =
    /^(?:__Host-)?toast=([\w-]+)\./.exec(setCookies.find((value) => value.includes('toast=')) ?? '') ?? []
  return encoded ? JSON.parse(Buffer.from(encoded, 'base64url').toString()).message : null
}
