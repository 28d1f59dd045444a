import { AppError } from '#app/lib/errors.ts'

export type ErrorLine = {
  type: string
  message?: string
  code?: string
  constraint?: string
  table?: string
  column?: string
  stack?: string
  cause?: ErrorLine
}

/** Errors of the language itself speak of the code; any other may quote what it was given. */
const ofTheCode = [TypeError, RangeError, ReferenceError]
const named = ['code', 'constraint', 'table', 'column'] as const

/**
 * What the log keeps of an error. Never a row, a value or a statement: the database quotes what a client wrote in its message, its
 * detail and its context, a parser quotes what it could not read, and the first line of a stack repeats the message.
 */
export function errorLine(error: unknown, depth = 0): ErrorLine {
  if (typeof error !== 'object' || error === null) return { type: typeof error }
  // Some libraries report a plain copy of an error: what it quotes can't be known.
  const line: ErrorLine = { type: error instanceof Error ? error.name : 'object' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (error instanceof Error && speaksOfCode(error, code)) line.message = error.message
  for (const name of named) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === 'string' && /^[\w.]{1,63}$/.test(value)) line[name] = value
  }
  const frames =
    'stack' in error && typeof error.stack === 'string'
      ? error.stack.split('\n').filter((frame) => /^ {4}at .*:\d+:\d+\)?$/.test(frame))
      : []
  if (frames.length) line.stack = frames.join('\n')
  // Of several that failed together the first one stands for all.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : 'cause' in error ? error.cause : undefined
  if (cause !== undefined && depth < 3) line.cause = errorLine(cause, depth + 1)
  return line
}

/** The system's own errors (ECONNREFUSED) name addresses and files. */
function speaksOfCode(error: Error, code: string | undefined): boolean {
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code)) return false
  return (
    error instanceof AppError ||
    ofTheCode.some((kind) => error instanceof kind) ||
    /^E[A-Z]{3,}$/.test(code ?? '') ||
    error.constructor === Error
  )
}
