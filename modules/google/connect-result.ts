import type { ToastMessage } from '#app/lib/flash.ts'

/** Why a connection was not made; the names are in the address on which the coach lands. */
export const connectFailures = {
  access_denied: 'Google was not allowed to share your calendar.',
  expired: 'This took too long. Please connect again.',
  // part-2 §8
  invalid_client: 'OAuth configuration error. Please check your Google Cloud Console settings.',
  missing_permission: 'Please connect again, and tick both boxes: your events and the list of your calendars.',
  plan_required: 'Calendar sync is part of the Pro and Premium plans.',
  failed: 'Failed to connect to Google Calendar',
} as const
export type ConnectFailure = keyof typeof connectFailures

/** The name of the channel on which the popup tells its result, and of the popup itself. */
export const channelName = 'google'

/** The address on which the coach lands. A popup tells the page that opened it, and closes. */
export function formatLanding({ failure, inPopup }: { failure: ConnectFailure | null; inPopup: boolean }): string {
  const params = new URLSearchParams({ google_connected: failure ? 'error' : 'success' })
  if (failure) params.set('reason', failure)
  if (inPopup) params.set('window', 'popup')
  return `/calendar?${params}`
}

/** The toast of part-2 for a landing's search params. */
export function toConnectToast(params: URLSearchParams): ToastMessage {
  if (params.get('google_connected') === 'success') return { tone: 'success', title: 'Google Calendar Connected' }
  const reason = params.get('reason') ?? ''
  const text = Object.hasOwn(connectFailures, reason)
    ? connectFailures[reason as ConnectFailure]
    : connectFailures.failed
  return { tone: 'error', title: 'Connection Failed', text }
}
