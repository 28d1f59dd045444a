import { z } from 'zod'

/**
 * `revoked`: Rev.ai rejects the platform's token. `gone`: it has no such job. `refused`: repeating it changes nothing. `busy`,
 * `down`: later.
 */
export type FailureKind = 'revoked' | 'gone' | 'refused' | 'busy' | 'down'

/** A failed call of Rev.ai. Has nothing of the request: the library's errors contain the token. */
export class RevAiError extends Error {
  override name = 'RevAiError'
  readonly kind: FailureKind
  readonly status: number | null
  readonly code: string

  constructor(kind: FailureKind, { status = null, code }: { status?: number | null; code: string }) {
    super(`Rev.ai: ${kind} (${code})`)
    this.kind = kind
    this.status = status
    this.code = code
  }
}

/** The library throws objects that are no errors, or errors of its HTTP client. */
const Thrown = z.object({
  statusCode: z.number().optional(),
  code: z.string().optional(),
  response: z.object({ status: z.number() }).optional(),
})

/** The error of a call without anything secret. */
export function fromVendor(error: unknown): RevAiError {
  if (error instanceof RevAiError) return error
  if (error instanceof z.ZodError || error instanceof SyntaxError) return new RevAiError('down', { code: 'garbage' })
  const thrown = Thrown.safeParse(error).data ?? {}
  const status = thrown.statusCode ?? thrown.response?.status ?? null
  if (status !== null) return new RevAiError(toKind(status), { status, code: String(status) })
  const code = thrown.code === 'ERR_CANCELED' ? 'timeout' : thrown.code
  return new RevAiError('down', { code: code && /^\w{1,60}$/.test(code) ? code : 'unreachable' })
}

function toKind(status: number): FailureKind {
  if (status === 401 || status === 403) return 'revoked'
  if (status === 404) return 'gone'
  // A job that still runs has no transcript and can't be deleted.
  if (status === 409 || status === 429) return 'busy'
  return status === 408 || status >= 500 || status < 400 ? 'down' : 'refused'
}
