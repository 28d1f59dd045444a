import { DriverException } from '@mikro-orm/core'
import { AppError, type ErrorCode } from '#app/lib/errors.ts'

/** Postgres' refusals, as the API words them. What isn't here is a mistake of ours: 500. */
const bySqlState: Record<string, [ErrorCode, string]> = {
  '23505': ['conflict', 'This already exists.'],
  '23503': ['not_found', 'Something that this refers to was not found.'],
  '23514': ['validation_failed', 'A value is outside of what is allowed.'],
  '22001': ['validation_failed', 'A value is too long.'],
  '54000': ['validation_failed', 'A value is too long.'],
  '22003': ['validation_failed', 'A number is too large.'],
  '22021': ['validation_failed', 'A text has a character that can not be stored.'],
  '22P05': ['validation_failed', 'A text has a character that can not be stored.'],
  '40001': ['conflict', 'Somebody else changed this at the same moment. Please try again.'],
  '40P01': ['conflict', 'Somebody else changed this at the same moment. Please try again.'],
  '55P03': ['conflict', 'Somebody else is changing this. Please try again.'],
  '57P01': ['unavailable', 'The database is restarting. Please try again.'],
  '57P03': ['unavailable', 'The database is starting. Please try again.'],
  '53300': ['unavailable', 'The database has too many connections. Please try again.'],
}
const byCode: Record<string, [ErrorCode, string]> = {
  ECONNREFUSED: ['unavailable', 'The database can not be reached. Please try again.'],
  ECONNRESET: ['unavailable', 'The database can not be reached. Please try again.'],
  ENOENT: ['unavailable', 'The database can not be reached. Please try again.'],
}

/** Turns whatever was thrown into the one kind of refusal that is answered. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const state = sqlState(error)
  const known =
    state &&
    (bySqlState[state] ?? (error instanceof DriverException || state.startsWith('E') ? byCode[state] : undefined))
  return known ? new AppError(known[0], known[1]) : new AppError('internal', 'Something went wrong on our side.')
}

function sqlState(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
