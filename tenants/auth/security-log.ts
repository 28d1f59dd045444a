import { isIP } from 'node:net'
import type { Platform } from '../platform.ts'
import type { SecurityEventKind } from './security-events.ts'

type Refusal =
  | 'sign_in_failed'
  | 'second_factor_failed'
  | 'password_check_failed'
  | 'link_refused'
  | 'passkey_refused'
  | 'api_key_refused'
  | 'rate_limited'
  | 'permission_refused'
/** Clients in the portal have no security log of their own. */
type OfClients = 'client_passkey_added' | 'client_passkey_removed'
type Request = 'account_registered' | 'password_reset_requested' | 'email_change_requested'

/** `account`: who acts, if known; `target`: the account of somebody else. `reason`: never what a client wrote. */
export type SecurityLine = {
  event: SecurityEventKind | Refusal | Request | OfClients | `admin_${string}`
  address: string | null
  account?: number | null
  target?: number
  reason?: string
}

/** Writes a line about security to the log of the process: without email addresses, tokens and what clients wrote. */
export function logSecurity({ log }: Pick<Platform, 'log'>, line: SecurityLine): void {
  const { event, address, account = null, target, reason } = line
  const level = /_(failed|refused|limited)$/.test(event) ? 'warn' : 'info'
  // A client behind no proxy can write any text into the header that its address is read from.
  log[level](
    { event, account, target, address: address !== null && isIP(address) ? address : null, reason },
    'security',
  )
}
