import { AppError } from '#app/lib/errors.ts'

export type SerializedError = {
  type: string
  message?: string
  code?: string
  constraint?: string
  table?: string
  column?: string
  stack?: string
  cause?: SerializedError
}

/** Their messages describe the code; messages of other errors may quote personal data. */
const languageErrors = [TypeError, RangeError, ReferenceError]
const loggedFields = ['code', 'constraint', 'table', 'column'] as const

/**
 * Serializes an error for the log without rows, values or statements. Database and parser errors quote personal data in
 * their message, and the first line of a stack repeats the message.
 */
export function serializeError(error: unknown, depth = 0): SerializedError {
  if (typeof error !== 'object' || error === null) return { type: typeof error }
  const serialized: SerializedError = { type: error instanceof Error ? error.name : 'object' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (error instanceof Error && isMessageSafe(error, code)) serialized.message = error.message
  for (const name of loggedFields) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === 'string' && /^[\w.]{1,63}$/.test(value)) serialized[name] = value
  }
  const frames =
    'stack' in error && typeof error.stack === 'string'
      ? error.stack.split('\n').filter((frame) => /^ {4}at .*:\d+:\d+\)?$/.test(frame))
      : []
  if (frames.length) serialized.stack = frames.join('\n')
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : 'cause' in error ? error.cause : undefined
  if (cause !== undefined && depth < 3) serialized.cause = serializeError(cause, depth + 1)
  return serialized
}

/**
 * Messages of SQLSTATE errors quote values, and those of mail servers addresses; those of system errors (ECONNREFUSED) name
 * only addresses of machines and files.
 */
function isMessageSafe(error: Error, code: string | undefined): boolean {
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code)) return false
  if ('responseCode' in error || 'rejected' in error) return false
  return (
    error instanceof AppError ||
    languageErrors.some((type) => error instanceof type) ||
    /^E[A-Z]{3,}$/.test(code ?? '') ||
    error.constructor === Error
  )
}
