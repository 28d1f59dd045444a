import { showToast } from '#app/ui/components/toast-bus.ts'
import { channelName, toConnectToast } from '../connect-result.ts'

// part-2 §9
const pollMs = 1_000
const timeoutMs = 300_000

const failed = (text?: string) =>
  showToast({ tone: 'error', title: 'Connection Failed', text: text ?? 'Failed to connect to Google Calendar' })

/** Sends the popup to Google, waits for the result and shows it. */
export async function connectInPopup(popup: Window): Promise<void> {
  try {
    const response = await fetch('/api/google/auth', { cache: 'no-store' })
    const body = (await response.json()) as { authUrl?: string; message?: string }
    if (!body.authUrl) throw new Error(body.message)
    popup.location.replace(body.authUrl)
  } catch (error) {
    popup.close()
    return failed(error instanceof TypeError || !(error as Error).message ? undefined : (error as Error).message)
  }
  const result = await waitForResult()
  popup.close()
  if (result) showToast(toConnectToast(new URLSearchParams(result)))
}

/**
 * The search of the address on which the popup landed; null after five minutes. The popup tells it, or else the server
 * knows. `popup.closed` says nothing: it is true as soon as the popup is at Google.
 */
function waitForResult(): Promise<string | null> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName)
    const finish = (result: string | null) => {
      channel.close()
      clearInterval(poll)
      clearTimeout(timeout)
      resolve(result)
    }
    const poll = setInterval(async () => {
      const response = await fetch('/api/user', { cache: 'no-store' }).catch(() => null)
      const user = response?.ok ? ((await response.json()) as { googleConnected: boolean }) : null
      if (user?.googleConnected) finish('?google_connected=success')
    }, pollMs)
    const timeout = setTimeout(() => finish(null), timeoutMs)
    channel.onmessage = ({ data }) => finish(String(data))
  })
}
