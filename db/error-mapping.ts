import { DriverException } from '@mikro-orm/core'
import { AppError, type ErrorCode } from '#app/lib/errors.ts'

/** Any other SQLSTATE is a bug: 500. */
const bySqlState: Record<string, [ErrorCode, string]> = {
  '23505': ['conflict', 'This already exists.'],
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
  '57P01': ['unavailable', 'The database is restarting. Please try again.'],
  '57P03': ['unavailable', 'The database is starting. Please try again.'],
  '53300': ['unavailable', 'The database has too many connections. Please try again.'],
}
const byNodeCode: Record<string, [ErrorCode, string]> = {
  ECONNREFUSED: ['unavailable', "The database can't be reached. Please try again."],
  ECONNRESET: ['unavailable', "The database can't be reached. Please try again."],
  ENOENT: ['unavailable', "The database can't be reached. Please try again."],
}

/** Converts any error to an AppError. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = getCode(error)
  const isFromDriver = error instanceof DriverException || code?.startsWith('E')
  const known = code === undefined ? undefined : (bySqlState[code] ?? (isFromDriver ? byNodeCode[code] : undefined))
  return known ? new AppError(known[0], known[1]) : new AppError('internal', 'Something went wrong on our side.')
}

function getCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
