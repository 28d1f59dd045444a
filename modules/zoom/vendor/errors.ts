import { z } from 'zod'

/**
 * `revoked`: the coach must connect again. `gone`: the recording no longer exists, or not yet. `refused`: repeating it changes
 * nothing. `busy`, `down`: later.
 */
export type FailureKind = 'revoked' | 'gone' | 'refused' | 'busy' | 'down'

/** A failed call of Zoom. Has nothing of the request, which may contain tokens. */
export class ZoomError extends Error {
  override name = 'ZoomError'
  readonly kind: FailureKind
  readonly status: number | null
  /** Zoom's reason, such as `3301`, or that of the connection. */
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
    super(`Zoom: ${kind} (${code})`)
    this.kind = kind
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The errors of Zoom's API have numbers, those of its OAuth words. */
const ErrorBody = z.object({ code: z.int().optional(), error: z.string().optional(), message: z.string().optional() })

/** The error of a response that is none of those that were hoped for. */
export function fromResponse({ status, headers }: Response, text: string): ZoomError {
  const body = ErrorBody.safeParse(parseJson(text)).data ?? {}
  const isScope = body.code === 4711 || /does not contain scopes/.test(body.message ?? '')
  const code = isScope ? 'missing_scope' : (readWord(body.error) ?? String(body.code ?? status))
  const kind = isScope ? 'refused' : toKind(status, code)
  return new ZoomError(kind, {
    status,
    // `describeError` has the code alone: no number of Zoom's may stand for an outage.
    code: kind === 'busy' || kind === 'down' ? String(status) : code,
    retryAfterSeconds: readRetryAfter(headers.get('retry-after')),
  })
}

/** The error of a call that got no response, or one that can't be read. */
export function fromFailure(error: unknown): ZoomError {
  if (error instanceof ZoomError) return error
  if (error instanceof z.ZodError || error instanceof SyntaxError) return new ZoomError('down', { code: 'garbage' })
  const { name } = error as Error
  return new ZoomError('down', { code: name === 'TimeoutError' || name === 'AbortError' ? 'timeout' : 'unreachable' })
}

const readWord = (word: string | undefined): string | null => (word && /^\w{1,60}$/.test(word) ? word : null)

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function toKind(status: number, code: string): FailureKind {
  if (code === 'invalid_client') return 'refused'
  if (code === 'invalid_grant' || status === 401) return 'revoked'
  if (status === 404) return 'gone'
  if (status === 429) return 'busy'
  return status === 408 || status >= 500 ? 'down' : 'refused'
}

/** Seconds, or the time at which a daily limit ends. */
function readRetryAfter(text: string | null): number | null {
  const seconds = text === null ? NaN : Number(text)
  return seconds > 0 && seconds <= 86_400 ? seconds : null
}
