import type { ToastMessage } from '#app/lib/flash.ts'

/** Why a connection was not made. */
export const connectFailures = {
  access_denied: 'Zoom was not allowed to share your recordings.',
  expired: 'This took too long. Please connect again.',
  invalid_client: 'OAuth configuration error. Please check the settings of the app at Zoom.',
  missing_permission: 'Zoom did not allow everything that is needed. Please connect again and allow all of it.',
  plan_required: 'AI summaries are part of the Pro and Premium plans.',
  failed: 'Failed to connect to Zoom',
} as const
export type ConnectFailure = keyof typeof connectFailures

export const toConnectToast = (failure: ConnectFailure | null): ToastMessage =>
  failure
    ? { tone: 'error', title: 'Connection Failed', text: connectFailures[failure] }
    : { tone: 'success', title: 'Zoom Connected' }
