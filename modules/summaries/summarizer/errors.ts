import { z } from 'zod'

/**
 * `revoked`: the endpoint rejects the key. `gone`: it has no such model. `refused`: asking again changes nothing. `busy`,
 * `down`: later.
 */
export type FailureKind = 'revoked' | 'not_found' | 'refused' | 'busy' | 'down'

/** A failed call of the endpoint. Has nothing of the request or of the response: both are about a client. */
export class SummarizerError extends Error {
  override name = 'SummarizerError'
  readonly kind: FailureKind
  readonly status: number | null
  /** The endpoint's code, or `refusal`, `length`, `garbage`, `unsupported`. */
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
    super(`Summarizer: ${kind} (${code})`)
    this.kind = kind
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const ErrorBody = z.object({
  error: z.object({ code: z.string().nullish(), type: z.string().nullish(), param: z.string().nullish() }),
})

/** The error of a call without anything secret. */
export function fromVendor(error: unknown): SummarizerError {
  if (error instanceof SummarizerError) return error
  if (error instanceof z.ZodError || error instanceof SyntaxError)
    return new SummarizerError('down', { code: 'garbage' })
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } }
  const code = name === 'TimeoutError' || name === 'AbortError' ? 'timeout' : cause?.code
  return new SummarizerError('down', { code: typeof code === 'string' ? code : 'unreachable' })
}

/** The error that a response other than 200 stands for, and the parameter that it is about. */
export async function readFailure(response: Response): Promise<{ error: SummarizerError; param: string | null }> {
  const { status } = response
  const body = ErrorBody.safeParse(await response.json().catch(() => null))
  const { code, type, param } = body.success ? body.data.error : {}
  const reason = [code, type].find((value) => value && /^\w{1,60}$/.test(value)) ?? String(status)
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfterSeconds = seconds > 0 && seconds <= 86_400 ? seconds : null
  return {
    error: new SummarizerError(toKind(status, reason), { status, code: reason, retryAfterSeconds }),
    param: param ?? null,
  }
}

function toKind(status: number, code: string): FailureKind {
  if (status === 401 || status === 403) return 'revoked'
  if (status === 404) return 'not_found'
  // A balance that is used up comes back when the operator has paid.
  if (status === 429) return code === 'insufficient_quota' ? 'revoked' : 'busy'
  return status === 408 || status >= 500 ? 'down' : 'refused'
}
