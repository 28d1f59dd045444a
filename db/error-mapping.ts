import { AppError, type ErrorCode } from '#app/lib/errors.ts'

/** Any other SQLSTATE is a bug: 500. */
const bySqlState: Record<string, [ErrorCode, string]> = {
  '23505': ['conflict', 'This already exists.'],
  '23P01': ['conflict', 'This overlaps something else.'],
  '23503': ['not_found', 'Something that this refers to was not found.'],
  '23514': ['validation_failed', 'A value is out of range.'],
  '22001': ['validation_failed', 'A value is too long.'],
  '54000': ['validation_failed', 'A value is too long.'],
  '22003': ['validation_failed', 'A number is too large.'],
  '22021': ['validation_failed', 'A text contains an unsupported character.'],
  '22P05': ['validation_failed', 'A text contains an unsupported character.'],
  '40001': ['conflict', 'This was changed by someone else at the same time. Please try again.'],
  '40P01': ['conflict', 'This was changed by someone else at the same time. Please try again.'],
  '55P03': ['conflict', 'Someone else is changing this. Please try again.'],
  // The statement took longer than statement_timeout.
  '57014': ['unavailable', 'This took too long. Please try again.'],
  '53100': ['unavailable', 'The disk of the database is full. Nothing was saved.'],
  '53300': ['unavailable', 'The database has too many connections. Please try again.'],
}
const unreachable: [ErrorCode, string] = ['unavailable', "The database can't be reached. Please try again."]
/** Classes of SQLSTATE: connection exception (PgBouncer too), insufficient resources, operator intervention, disk. */
const unavailableClasses = ['08', '53', '57', '58']
const networkCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  // A Unix socket.
  'ENOENT',
]
/** `pg` gives these errors no code. */
const lostConnection =
  /Connection terminated|timeout expired$|timeout exceeded when trying to connect|is not queryable$/

/** Converts any error to an AppError. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const known = findMapping(error)
  return known ? new AppError(known[0], known[1]) : new AppError('internal', 'Something went wrong on our side.')
}

function findMapping(error: unknown): [ErrorCode, string] | undefined {
  const code = getErrorCode(error)
  if (code === undefined) return error instanceof Error && lostConnection.test(error.message) ? unreachable : undefined
  if (bySqlState[code]) return bySqlState[code]
  if (networkCodes.includes(code)) return unreachable
  return /^[0-9A-Z]{5}$/.test(code) && unavailableClasses.includes(code.slice(0, 2)) ? unreachable : undefined
}

/** The SQLSTATE, or the code of a Node error. */
export function getErrorCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
