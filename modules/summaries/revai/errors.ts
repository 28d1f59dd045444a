import { z } from 'zod'
import { TranscriberError, type FailureKind } from '../recordings/transcriber.ts'

/** The library throws objects that are no errors, or errors of its HTTP client. */
const Thrown = z.object({
  statusCode: z.number().optional(),
  code: z.string().optional(),
  response: z.object({ status: z.number() }).optional(),
})

/** The error of a call without anything secret. */
export function fromVendor(error: unknown): TranscriberError {
  if (error instanceof TranscriberError) return error
  if (error instanceof z.ZodError || error instanceof SyntaxError)
    return new TranscriberError('Rev.ai', 'down', { code: 'garbage' })
  const thrown = Thrown.safeParse(error).data ?? {}
  const status = thrown.statusCode ?? thrown.response?.status ?? null
  if (status !== null) return new TranscriberError('Rev.ai', toKind(status), { status, code: String(status) })
  const code = thrown.code === 'ERR_CANCELED' ? 'timeout' : thrown.code
  return new TranscriberError('Rev.ai', 'down', { code: code && /^\w{1,60}$/.test(code) ? code : 'unreachable' })
}

function toKind(status: number): FailureKind {
  if (status === 401 || status === 403) return 'revoked'
  if (status === 404) return 'not_found'
  // A job that still runs has no transcript and can't be deleted.
  if (status === 409 || status === 429) return 'busy'
  return status === 408 || status >= 500 || status < 400 ? 'down' : 'refused'
}
