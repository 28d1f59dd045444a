/** The error codes of the API, with their HTTP status. */
export const statusByCode = {
  bad_request: 400,
  unauthorized: 401,
  second_factor_required: 401,
  forbidden: 403,
  plan_limit: 403,
  plan_required: 403,
  cross_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  unknown_host: 421,
  validation_failed: 422,
  rate_limited: 429,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof statusByCode
type Issue = { path: string; message: string }

/**
 * An expected error whose message can be shown to users. `issues` name the invalid fields (422 and 409), `subject` the
 * kind of record that the error is about, such as 'client'.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly issues: Issue[] | undefined
  readonly headers: Record<string, string> | undefined
  readonly subject: string | undefined

  constructor(
    code: ErrorCode,
    message: string,
    details: { field?: string; issues?: Issue[]; headers?: Record<string, string>; subject?: string } = {},
  ) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.issues = details.issues ?? (details.field ? [{ path: details.field, message }] : undefined)
    this.headers = details.headers
    this.subject = details.subject
  }

  get status(): number {
    return statusByCode[this.code]
  }
}

/** For `catch`: null instead of the record that doesn't exist. */
export function ignoreNotFound(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}
