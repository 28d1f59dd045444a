/** Every refusal of the product, with its HTTP status. The codes are those of the API's contract. */
export const statusOf = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  plan_limit: 403,
  plan_required: 403,
  cross_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  unknown_host: 421,
  validation_failed: 422,
  rate_limited: 429,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof statusOf
export type Issue = { path: string; message: string }

/** A refusal with a sentence that a screen can show. `issues` name the fields it is about (422 and 409), `subject` the kind of record. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly issues: Issue[] | undefined
  readonly headers: Record<string, string> | undefined
  readonly subject: string | undefined

  constructor(
    code: ErrorCode,
    message: string,
    about: { field?: string; issues?: Issue[]; headers?: Record<string, string>; subject?: string } = {},
  ) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.issues = about.issues ?? (about.field ? [{ path: about.field, message }] : undefined)
    this.headers = about.headers
    this.subject = about.subject
  }

  get status(): number {
    return statusOf[this.code]
  }
}
