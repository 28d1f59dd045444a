import type { TimeSettings } from '#app/lib/clock.ts'
import { formatDateTime } from '#app/lib/time.ts'
import type { Connection } from './queries/connection.ts'

/** How a connection works: a sentence, and whether the coach has to act. */
export type Health = { tone: 'success' | 'warning' | 'danger'; label: string; text: string }

/** Says when it last worked, and what to do. */
export function describeHealth(connection: Connection, settings: TimeSettings): Health {
  const { state, lastSuccessAt, lastError, nextTryAt } = connection
  const worked = lastSuccessAt ? `Last reached: ${formatDateTime(lastSuccessAt, settings)}.` : 'Not reached yet.'
  if (state === 'needs_reconnect')
    return {
      tone: 'danger',
      label: 'Disconnected by Zoom',
      text: `${worked} Zoom has ended the connection. Connect again to continue.`,
    }
  if (state === 'connected') return { tone: 'success', label: 'Connected', text: worked }
  const next = nextTryAt ? ` Next try: ${formatDateTime(nextTryAt, settings)}.` : ''
  return { tone: 'warning', label: 'Not working', text: `${worked} ${describeError(lastError)}${next}` }
}

/** Says what went wrong and what to do. */
export function describeError(code: string | null): string {
  if (code === null || /^(408|5\d\d|timeout|unreachable|garbage)$/.test(code))
    return 'Zoom can’t be reached. There is nothing to do.'
  switch (code) {
    case 'invalid_client':
      return 'OAuth configuration error. Please check the settings of the app at Zoom.'
    case 'missing_scope':
      return 'Zoom does not let us read your recordings. Connect again and allow all of it.'
    case '429':
      return 'Zoom asks us to wait. There is nothing to do.'
    default:
      return `Zoom refused the request (${code}). Connect again or contact support.`
  }
}
