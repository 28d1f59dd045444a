import type { AppError } from '#app/lib/errors.ts'

/** The JSON body of an error response. */
export function errorBody(error: AppError, requestId: string): Record<string, unknown> {
  return {
    message: error.message,
    code: error.code,
    ...(error.code === 'validation_failed' ? { issues: error.issues ?? [] } : {}),
    requestId,
  }
}
