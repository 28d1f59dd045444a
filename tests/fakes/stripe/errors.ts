/** An error of Stripe's API, as it is returned. */
export class ApiError extends Error {
  readonly status: number
  readonly body: { type: string; code?: string; param?: string; message: string }
  readonly headers: Record<string, string>

  constructor(
    status: number,
    {
      type = 'invalid_request_error',
      ...body
    }: { type?: string; code?: string; param?: string | undefined; message?: string },
    headers: Record<string, string> = {},
  ) {
    super(body.message ?? body.code ?? type)
    this.status = status
    const { code, param } = body
    this.body = { type, message: this.message, ...(code ? { code } : {}), ...(param ? { param } : {}) }
    this.headers = headers
  }
}

export const missing = (id: string): ApiError =>
  new ApiError(404, { code: 'resource_missing', param: 'id', message: `No such object: '${id}'` })

export const invalid = (code: string, param?: string): ApiError => new ApiError(400, { code, param })
