import type { ToastMessage } from '#app/lib/flash.ts'

/** Why a connection was not made; the names are in the address on which the coach lands. */
export const connectFailures = {
  access_denied: 'Google was not allowed to share your calendar.',
  expired: 'This took too long. Please connect again.',
  // part-2 §8
  invalid_client: 'OAuth configuration error. Please check your Google Cloud Console settings.',
  missing_permission: 'Please connect again, and tick both boxes: your events and the list of your calendars.',
  missing_meet: 'Google Calendar is connected, Google Meet is not: connect it again, and tick its box.',
  plan_required: 'Calendar sync is part of the Pro and Premium plans.',
  failed: 'Failed to connect to Google Calendar',
} as const
export type ConnectFailure = keyof typeof connectFailures

/** The name of the channel on which the popup tells its result, and of the popup itself. */
export const channelName = 'google'

type Result = { failure: ConnectFailure | null; inPopup: boolean; withMeet: boolean }

/**
 * The address on which the coach lands. A popup tells the page that opened it, and closes. Google Meet is connected
 * without one, in the settings.
 */
export function formatLanding({ failure, inPopup, withMeet }: Result): string {
  if (withMeet && !inPopup) return settingsPage
  const params = new URLSearchParams({ google_connected: failure ? 'error' : 'success' })
  if (failure) params.set('reason', failure)
  if (inPopup) params.set('window', 'popup')
  return `/calendar?${params}`
}

/** The page of the connection in the settings. */
export const settingsPage = '/settings/google-calendar'

/** The toast of a result outside of a popup. */
export function toResultToast({ failure, withMeet }: Result): ToastMessage {
  if (failure) return toFailureToast(failure)
  return { tone: 'success', title: withMeet ? 'Google Meet Connected' : 'Google Calendar Connected' }
}

/** The toast of part-2 for a landing's search params. */
export function toConnectToast(params: URLSearchParams): ToastMessage {
  if (params.get('google_connected') === 'success') return { tone: 'success', title: 'Google Calendar Connected' }
  const reason = params.get('reason') ?? ''
  return toFailureToast(Object.hasOwn(connectFailures, reason) ? (reason as ConnectFailure) : 'failed')
}

const toFailureToast = (failure: ConnectFailure): ToastMessage => ({
  tone: 'error',
  title: 'Connection Failed',
  text: connectFailures[failure],
})
