/**
 * `revoked`: the coach's account no longer lets us act for it. `not_found`: the object doesn't exist. `refused`:
 * repeating it changes nothing. `busy`, `down`: later, also once the platform's key is good again.
 */
export type FailureKind = 'revoked' | 'not_found' | 'refused' | 'busy' | 'down'

/** A failed call of Stripe. Has nothing of the request or of the response, which may contain personal data. */
export class StripeError extends Error {
  override name = 'StripeError'
  readonly kind: FailureKind
  readonly status: number | null
  /** Stripe's code, such as `charge_already_refunded`. */
  readonly code: string
  readonly retryAfterSeconds: number | null

  constructor(
    kind: FailureKind,
    {
      status = null,
      code,
      retryAfterSeconds = null,
    }: { status?: number | null; code: string; retryAfterSeconds?: number | null },
  ) {
    super(`Stripe: ${kind} (${code})`)
    this.kind = kind
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type VendorError = {
  statusCode?: number
  code?: unknown
  rawType?: unknown
  headers?: Record<string, string | undefined>
}

/** The error of a call without anything secret. */
export function fromStripe(error: unknown): StripeError {
  if (error instanceof StripeError) return error
  const { statusCode: status = null, code, rawType, headers } = error as VendorError
  const reason = [code, rawType].find((value) => typeof value === 'string' && /^\w{1,60}$/.test(value)) as
    | string
    | undefined
  if (status === null) return new StripeError('down', { code: reason ?? 'unreachable' })
  const retryAfterSeconds = readRetryAfter(headers?.['retry-after'])
  return new StripeError(toKind(status, reason), { status, code: reason ?? String(status), retryAfterSeconds })
}

const revokedCodes = ['account_invalid', 'platform_account_required', 'application_not_connected']

function toKind(status: number, code: string | undefined): FailureKind {
  if (status === 403 && code !== undefined && revokedCodes.includes(code)) return 'revoked'
  // The key is wrong or may not do this, which says nothing about the account or the object.
  if (status === 401 || status === 403) return 'down'
  if (status === 404 || code === 'resource_missing') return 'not_found'
  if (status === 409 || status === 429) return 'busy'
  return status >= 500 ? 'down' : 'refused'
}

function readRetryAfter(text: string | undefined): number | null {
  const seconds = text === undefined ? NaN : Number(text)
  return seconds > 0 && seconds <= 86_400 ? seconds : null
}
