import { z } from 'zod'
import {
  readCode,
  readRetryAfter,
  VendorError,
  type FailureDetails,
  type FailureKind,
} from '#modules/core/oauth/vendor-error.ts'

/** A failed call of Google. */
export class GoogleError extends VendorError {
  override name = 'GoogleError'

  constructor(kind: FailureKind, details: FailureDetails) {
    super('Google', kind, details)
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
type Thrown = {
  status?: number
  code?: unknown
  response?: { status?: number; data?: unknown; headers?: unknown }
}

/** The error of a call without anything secret. */
export function fromGoogle(error: unknown): GoogleError {
  if (error instanceof GoogleError) return error
  if (error instanceof z.ZodError || error instanceof SyntaxError) return new GoogleError('down', { code: 'garbage' })
  const { response, ...thrown } = error as Thrown
  const status = response?.status ?? null
  if (status === null)
    return new GoogleError('down', { code: typeof thrown.code === 'string' ? thrown.code : 'unreachable' })
  const code = readReason(response?.data) ?? String(status)
  // Not always the global class of that name.
  const headers = response?.headers as Headers | undefined
  const retryAfterSeconds = readRetryAfter(headers?.get('retry-after') ?? null)
  return new GoogleError(toKind(status, code), { status, code, retryAfterSeconds })
}

function toKind(status: number, code: string): FailureKind {
  if (code === 'invalid_grant' || status === 401) return code === 'invalid_client' ? 'refused' : 'revoked'
  if (status === 403 && busyReasons.includes(code)) return 'busy'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 409 || status === 412) return 'conflict'
  if (status === 429) return 'busy'
  return status >= 500 ? 'down' : 'refused'
}

function readReason(data: unknown): string | null {
  const body = ErrorBody.safeParse(data)
  if (!body.success) return null
  const { error } = body.data
  return readCode(typeof error === 'string' ? error : (error.errors?.[0]?.reason ?? error.status))
}
