import type { TimeSettings } from '#app/lib/clock.ts'
import { formatDateTime } from '#app/lib/time.ts'
import type { Connection } from './queries/connection.ts'
import type { MeetError } from './states.ts'

/** How a connection works: a sentence, and whether the coach has to act. */
export type Health = { tone: 'success' | 'warning' | 'danger'; label: string; text: string }

const lastWorked = ({ lastSuccessAt }: Pick<Connection, 'lastSuccessAt'>, settings: TimeSettings): string =>
  lastSuccessAt ? `Last synced: ${formatDateTime(lastSuccessAt, settings)}.` : 'Not synced yet.'

/** Says when it last worked, and what to do. */
export function describeHealth(connection: Connection, settings: TimeSettings): Health {
  const { state, lastError, nextTryAt } = connection
  const worked = lastWorked(connection, settings)
  if (state === 'needs_reconnect')
    return {
      tone: 'danger',
      label: 'Disconnected by Google',
      text: `${worked} Google has ended the connection. Connect again to continue.`,
    }
  if (state === 'connected') return { tone: 'success', label: 'Connected', text: worked }
  const next = nextTryAt ? ` Next try: ${formatDateTime(nextTryAt, settings)}.` : ''
  return { tone: 'warning', label: 'Not syncing', text: `${worked} ${describeError(lastError)}${next}` }
}

/** The same about reading Google Meet. */
export function describeMeetHealth(connection: Connection, settings: TimeSettings): Health {
  const { state, meetReachedAt, meetError } = connection
  const worked = meetReachedAt ? `Last reached: ${formatDateTime(meetReachedAt, settings)}.` : 'Not reached yet.'
  if (state === 'needs_reconnect')
    return {
      tone: 'danger',
      label: 'Disconnected by Google',
      text: `${worked} Google has ended the connection. Connect again to continue.`,
    }
  if (meetError === null) return { tone: 'success', label: 'Connected', text: worked }
  return { tone: 'warning', label: 'Not working', text: `${worked} ${describeMeetError(meetError)}` }
}

/** Says what went wrong and what to do. */
export const describeMeetError = (error: MeetError): string => meetErrorTexts[error]

const meetErrorTexts = {
  busy: 'Google asks us to wait. There is nothing to do.',
  down: 'Google Meet can’t be reached. There is nothing to do.',
  garbage: 'Google Meet can’t be read.',
  refused: 'Google does not let us read transcripts. Connect Google Meet again in Settings.',
}

/** Says what went wrong and what to do. */
export function describeError(code: string | null): string {
  switch (code) {
    case 'invalid_client':
      return 'OAuth configuration error. Please check your Google Cloud Console settings.'
    case 'rateLimitExceeded':
    case 'userRateLimitExceeded':
    case 'quotaExceeded':
    case 'dailyLimitExceeded':
    case '429':
      return 'Google asks us to wait. There is nothing to do.'
    case 'forbidden':
    case 'requiredAccessLevel':
    case 'insufficientPermissions':
    case 'notFound':
      return 'Google refuses a change. Check that you may still edit the calendar, or choose another one.'
    case 'invalid':
    case 'changes_often':
    case 'duplicate':
      return 'Google did not take one of your sessions.'
    default:
      return 'Google Calendar can’t be reached. There is nothing to do.'
  }
}
