import { z } from 'zod'

/**
 * `revoked`: the coach must connect again. `gone`: the object or the sync token no longer exists. `conflict`: another
 * version, or an id that is taken. `refused`: repeating it changes nothing. `busy`, `down`: later.
 */
export type FailureKind = 'revoked' | 'gone' | 'conflict' | 'refused' | 'busy' | 'down'

/** A failed call of Google. Has nothing of the request, which may contain tokens. */
export class GoogleError extends Error {
  override name = 'GoogleError'
  readonly kind: FailureKind
  readonly status: number | null
  /** Google's reason, such as `rateLimitExceeded`, or that of the connection. */
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
    super(`Google: ${kind} (${code})`)
    this.kind = kind
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const busyReasons = ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded']

/** The errors of Google's APIs, and those of OAuth. */
const ErrorBody = z.object({
  error: z.union([
    z.string(),
    z.object({ status: z.string().optional(), errors: z.array(z.object({ reason: z.string() })).optional() }),
  ]),
})
type VendorError = {
  status?: number
  code?: unknown
  response?: { status?: number; data?: unknown; headers?: unknown }
}

/** The error of a call without anything secret. */
export function fromGoogle(error: unknown): GoogleError {
  if (error instanceof GoogleError) return error
  if (error instanceof z.ZodError || error instanceof SyntaxError) return new GoogleError('down', { code: 'garbage' })
  const { response, ...thrown } = error as VendorError
  const status = response?.status ?? null
  if (status === null)
    return new GoogleError('down', { code: typeof thrown.code === 'string' ? thrown.code : 'unreachable' })
  const code = readReason(response?.data) ?? String(status)
  const retryAfterSeconds = readRetryAfter(response?.headers)
  return new GoogleError(toKind(status, code), { status, code, retryAfterSeconds })
}

function toKind(status: number, code: string): FailureKind {
  if (code === 'invalid_grant' || status === 401) return code === 'invalid_client' ? 'refused' : 'revoked'
  if (status === 403 && busyReasons.includes(code)) return 'busy'
  if (status === 404 || status === 410) return 'gone'
  if (status === 409 || status === 412) return 'conflict'
  if (status === 429) return 'busy'
  return status >= 500 ? 'down' : 'refused'
}

function readReason(data: unknown): string | null {
  const body = ErrorBody.safeParse(data)
  if (!body.success) return null
  const { error } = body.data
  const reason = typeof error === 'string' ? error : (error.errors?.[0]?.reason ?? error.status ?? null)
  return reason && /^\w{1,60}$/.test(reason) ? reason : null
}

function readRetryAfter(headers: unknown): number | null {
  // Not always the global class of that name.
  const text = headers ? (headers as Headers).get('retry-after') : null
  const seconds = text === null ? NaN : Number(text)
  return seconds > 0 && seconds <= 86_400 ? seconds : null
}
