/**
 * `revoked`: the coach must connect again. `not_found`: the object doesn't exist, or no longer. `conflict`: another
 * version, or an id that is taken. `refused`: repeating it changes nothing. `busy`, `down`: later.
 */
export type FailureKind = 'revoked' | 'not_found' | 'conflict' | 'refused' | 'busy' | 'down'
export type FailureDetails = { status?: number | null; code: string; retryAfterSeconds?: number | null }

/** A failed call of a vendor. Has nothing of the request, which may contain tokens. */
export class VendorError extends Error {
  readonly kind: FailureKind
  readonly status: number | null
  /** The vendor's reason, such as `rateLimitExceeded`, or that of the connection. */
  readonly code: string
  readonly retryAfterSeconds: number | null

  constructor(vendor: string, kind: FailureKind, { status = null, code, retryAfterSeconds = null }: FailureDetails) {
    super(`${vendor}: ${kind} (${code})`)
    this.kind = kind
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A vendor's reason, if it is short and plain enough for a log. */
export const readCode = (text: string | null | undefined): string | null =>
  text && /^\w{1,60}$/.test(text) ? text : null

/** The seconds of a Retry-After header, at most a day; null for a date. */
export function readRetryAfter(text: string | null): number | null {
  const seconds = text === null ? NaN : Number(text)
  return seconds > 0 && seconds <= 86_400 ? seconds : null
}
