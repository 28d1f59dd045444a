import { z } from 'zod'
import {
  readCode,
  readRetryAfter,
  VendorError,
  type FailureDetails,
  type FailureKind,
} from '#modules/core/oauth/vendor-error.ts'

/** A failed call of Zoom. */
export class ZoomError extends VendorError {
  override name = 'ZoomError'

  constructor(kind: FailureKind, details: FailureDetails) {
    super('Zoom', kind, details)
  }
}

/** The errors of Zoom's API have numbers, those of its OAuth are texts. */
const ErrorBody = z.object({ code: z.int().optional(), error: z.string().optional(), message: z.string().optional() })

/** The error of a response that is none of those that were hoped for. */
export function fromResponse({ status, headers }: Response, text: string): ZoomError {
  const body = ErrorBody.safeParse(parseJson(text)).data ?? {}
  const isScope = body.code === 4711 || /does not contain scopes/.test(body.message ?? '')
  const code = isScope ? 'missing_scope' : (readCode(body.error) ?? String(body.code ?? status))
  const kind = isScope ? 'refused' : toKind(status, code)
  return new ZoomError(kind, {
    status,
    // `describeError` has the code alone: no number of Zoom's may stand for an outage.
    code: kind === 'busy' || kind === 'down' ? String(status) : code,
    // A date, at which a daily limit ends, says nothing here.
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
  if (status === 404) return 'not_found'
  if (status === 429) return 'busy'
  return status === 408 || status >= 500 ? 'down' : 'refused'
}
