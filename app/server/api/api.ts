import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { markOwned } from '#app/lib/release-memory.ts'
import { authorize, coachContext, keyContext, logRefusal, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { supportEndedMessage } from '#tenants/read-only.ts'
import { accountClosed } from '#tenants/accounts/closing.ts'
import { runOnce } from '#tenants/api/idempotency.ts'
import { switchedOffError } from '#tenants/module-switches/switches.ts'
import type { CoachAccount } from '#tenants/auth/viewer.ts'
import type { ModuleInfo } from '#modules/core/extensions.ts'
import { isSwitchedOff } from '#modules/core/switched-off.ts'
import { replyWithFile } from '#tenants/files/file-reply.ts'
import {
  FileAnswer,
  type CoachOperation,
  type Content,
  type Cookie,
  type Operation,
  type Params,
  type PublicOperation,
  type ResponseMeta,
  type RequestContext,
} from '#tenants/api/operation.ts'

const maxBodyBytes = 1024 * 1024

/** The result of an API call, before it becomes a Response. `body` is JSON, or a file with headers of its own. */
export type ApiResult = {
  status: number
  body: string | Readable | null
  headers: Record<string, string>
  cookies: Cookie[]
}
type JsonResult = ApiResult & { body: string | null }
export type Api = {
  /** Throws AppError. */
  handle(request: Request, path: string, requestContext: RequestContext, options?: HandleOptions): Promise<ApiResult>
  operations: Operation[]
}

/** `onMatch`: gets the path's pattern, for the log. `incoming`: Node's request, of which files are read faster. */
type HandleOptions = { onMatch?: (path: string) => void; incoming?: IncomingMessage | undefined }

type Route = { pattern: RegExp; methods: Map<string, Operation>; isPublic: boolean }

/** Combines operations into one API: routes a request and runs the checks in the specified order. */
export function createApi(
  operations: Operation[],
  /** The module that has an operation; null: the platform. */
  { getModule }: { getModule: (operation: Operation) => ModuleInfo | null },
): Api {
  const routes = buildRouteTable(operations)
  return { operations, handle }

  async function handle(
    request: Request,
    path: string,
    requestContext: RequestContext,
    { onMatch, incoming }: HandleOptions = {},
  ): Promise<ApiResult> {
    const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase()
    const match = matchRoute(routes, path)
    if (match) onMatch?.(firstOperation(match.route).path)
    const { account } = requestContext.viewer
    if (!account && !match?.route.isPublic) throw signedOutError(requestContext)
    const operation = match?.route.methods.get(method)
    if (!match || (requestContext.tenant && isPlatformOnly(firstOperation(match.route))))
      throw new AppError('not_found', 'Endpoint not found.')
    if (!operation) {
      const allowed = [...match.route.methods.keys()].map((name) => name.toUpperCase())
      throw new AppError('method_not_allowed', 'This endpoint does not support this method.', {
        headers: { Allow: [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])].join(', ') },
      })
    }
    const module = getModule(operation)
    const off = module && isOff(operation, module, requestContext) ? module : null
    if (!account && off) throw new AppError('not_found', 'Endpoint not found.')
    if (operation.access === 'public' && off) throw switchedOffError(off.title)
    if (operation.access === 'public') return handlePublic(operation, request, match.params, requestContext)
    if (!account) throw signedOutError(requestContext)
    const ctx = authorizeCall(operation, module, { ...requestContext, account })
    return handleCoach(operation, request, match.params, ctx, incoming)
  }
}

const isOff = ({ ofPlan }: Operation, module: ModuleInfo | null, requestContext: RequestContext): boolean =>
  module !== null && !ofPlan && isSwitchedOff(requestContext, module.id)

/** The context of a call. Throws forbidden, and plan_required without the module that has the operation. */
function authorizeCall(
  operation: CoachOperation,
  module: ModuleInfo | null,
  { account, ...requestContext }: RequestContext & { account: CoachAccount },
): Ctx {
  const { platform, viewer } = requestContext
  const ctx = viewer.scopes
    ? keyContext(platform, account, requestContext, {
        scopes: viewer.scopes,
        changes: operation.method === 'get' ? null : (module?.id ?? null),
      })
    : coachContext(platform, account, requestContext)
  // No key may do what an administrator may.
  if (operation.access === 'admin' && (!account.isAdmin || viewer.scopes)) {
    logRefusal(ctx, `${operation.method} ${operation.path}`)
    throw new AppError('forbidden', 'Only administrators can do this.')
  }
  if (operation.sessionOnly && viewer.scopes) {
    logRefusal(ctx, `${operation.method} ${operation.path}`)
    throw new AppError('forbidden', 'An API key can’t do this: sign in.')
  }
  if (operation.permission) authorize(ctx, operation.permission)
  if (module && isOff(operation, module, requestContext)) throw switchedOffError(module.title)
  return ctx
}

function signedOutError({ platform, viewer }: RequestContext): AppError {
  if (viewer.supportEnded) return new AppError('forbidden', supportEndedMessage)
  return viewer.closed ? accountClosed(platform) : new AppError('unauthorized', 'Please sign in.')
}
const firstOperation = (route: Route): Operation => route.methods.values().next().value!
const isPlatformOnly = (operation: Operation): boolean =>
  operation.access === 'admin' || (operation.access === 'public' && operation.platformOnly === true)

async function handlePublic(
  operation: PublicOperation,
  request: Request,
  rawParams: string[],
  requestContext: RequestContext,
): Promise<ApiResult> {
  const json = await readJsonBody(request, operation)
  const params = parseParams(operation, rawParams)
  const response: ResponseMeta = { headers: {}, cookies: [] }
  const input = { params, ...parseInput(operation, request, json?.value), response }
  return toResult(operation, await operation.handle(requestContext, input), response, request)
}

async function handleCoach(
  operation: CoachOperation,
  request: Request,
  rawParams: string[],
  ctx: Ctx,
  incoming: IncomingMessage | undefined,
): Promise<ApiResult> {
  const { content: reader } = operation
  const content = reader ? openContent(request, reader.type, incoming) : null
  const json = content ? undefined : await readJsonBody(request, operation)
  const params = parseParams(operation, rawParams)
  const response: ResponseMeta = { headers: {}, cookies: [] }

  if (reader && content) {
    await operation.find?.(ctx, params)
    const { query } = parseInput({ ...operation, body: undefined }, request, undefined)
    return toJsonResult(operation, await reader.handle(ctx, { params, query, content, response }), response)
  }

  if (operation.method === 'get') {
    await operation.find?.(ctx, params)
    const input = { params, ...parseInput(operation, request, undefined), response }
    // The types of `operation` give the handler of a GET a plain Ctx.
    return toResult(operation, await operation.handle(ctx as WriteCtx, input), response, request)
  }

  if (operation.callsVendor) {
    await operation.find?.(ctx, params)
    const input = { params, ...parseInput(operation, request, json?.value), response }
    // The types of `operation` give this handler a plain Ctx.
    return toJsonResult(operation, await operation.handle(ctx as WriteCtx, input), response)
  }

  const key = operation.method === 'post' ? request.headers.get('idempotency-key') : null
  // With `find`, a missing record comes before invalid input (404 before 422).
  const early = operation.find ? undefined : parseInput(operation, request, json?.value)
  return ctx.write(async (tx) => {
    await operation.find?.(tx, params)
    const input = { params, ...(early ?? parseInput(operation, request, json?.value)), response }
    const run = async () => toJsonResult(operation, await operation.handle(tx, input), response)
    return key === null ? run() : runIdempotent(tx, key, request, json?.text ?? '', run)
  })
}

/** Returns the stored result for a repeated Idempotency-Key. A concurrent repeat waits for the first one's row lock. */
async function runIdempotent(
  ctx: WriteCtx,
  key: string,
  request: Request,
  text: string,
  run: () => Promise<JsonResult>,
): Promise<ApiResult> {
  if (key === '' || key.length > 255)
    throw new AppError('validation_failed', 'Idempotency-Key has 1 to 255 characters.', { field: 'Idempotency-Key' })
  const requestHash = createHash('sha256')
    .update(`${new URL(request.url).pathname}\n${text}`)
    .digest()
  return { headers: {}, cookies: [], ...(await runOnce(ctx, { key, requestHash }, run)) }
}

async function toResult(
  operation: Operation,
  body: unknown,
  response: ResponseMeta,
  request: Request,
): Promise<ApiResult> {
  if (!(body instanceof FileAnswer)) return toJsonResult(operation, body, response)
  const { status, headers, content } = await replyWithFile(request, body.source)
  const file = { ...response.headers, ...body.headers, ...headers }
  return { status, body: content, headers: file, cookies: response.cookies }
}

function toJsonResult(operation: Operation, body: unknown, response: ResponseMeta): JsonResult {
  const [declared] = Object.keys(operation.answers)
  const status = response.status ?? Number(declared)
  return {
    status,
    body: operation.answers[status] === null ? null : JSON.stringify(body),
    headers: response.headers,
    cookies: response.cookies,
  }
}

/** The body of a request of the media type `type`; null for another one. */
function openContent(request: Request, type: string, incoming: IncomingMessage | undefined): Content | null {
  const sent = request.headers.get('content-type') ?? ''
  if (sent.split(';')[0]!.trim().toLowerCase() !== type) return null
  const length = request.headers.get('content-length')
  return {
    type: sent,
    length: length === null ? null : Number(length),
    stream: incoming ? readIncoming(incoming) : readBody(request),
  }
}

const closedError = () => new AppError('bad_request', 'The connection was closed before the file had arrived.')

/** As `readBody`, with half the CPU time. */
function readIncoming(incoming: IncomingMessage): Readable {
  const onData = (chunk: Buffer): void => {
    markOwned(chunk)
    if (!body.push(chunk)) incoming.pause()
  }
  const onEnd = () => void body.push(null)
  const onClose = () => void (incoming.complete || body.destroy(closedError()))
  let isReading = false
  const body = new Readable({
    highWaterMark: 256 * 1024,
    read() {
      if (!isReading) incoming.on('data', onData).once('end', onEnd).once('close', onClose)
      isReading = true
      incoming.resume()
    },
    destroy(error, done) {
      incoming.off('data', onData).off('end', onEnd).off('close', onClose)
      if (isReading) incoming.pause()
      done(error)
    },
  })
  return body.on('error', () => {})
}

/** Destroying it leaves the request as it is, which the answer has yet to reach. */
function readBody(request: Request): Readable {
  const reader = request.body?.getReader()
  const body = new Readable({
    async read() {
      try {
        const part = await reader?.read()
        this.push(part?.value ?? null)
      } catch {
        this.destroy(closedError())
      }
    },
  })
  // An error that nobody waits for any more must not end the process.
  return body.on('error', () => {})
}

/** Checks media type, size and JSON, in this order. Returns undefined for a GET. */
async function readJsonBody(
  request: Request,
  operation: Operation,
): Promise<{ value: unknown; text: string } | undefined> {
  if (operation.method === 'get') return undefined
  const declared = request.headers.get('content-length')
  const hasBody = declared !== null ? declared !== '0' : request.headers.has('transfer-encoding')
  const type = request.headers.get('content-type')
  if (hasBody && !/^application\/json\s*(;|$)/i.test(type ?? '')) {
    throw new AppError('unsupported_media_type', 'Send the body as application/json.')
  }
  const text = hasBody ? await readText(request, declared) : ''
  if (text.trim() === '') return { value: {}, text }
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('bad_request', 'The body must be a JSON object.')
  return { value, text }
}

async function readText(request: Request, declared: string | null): Promise<string> {
  if (Number(declared ?? 0) > maxBodyBytes) throw bodyTooLargeError()
  // The HTTP parser enforces a declared Content-Length, so only chunked bodies need counting.
  const bytes = declared === null ? await readStream(request) : new Uint8Array(await request.arrayBuffer())
  if (bytes.byteLength > maxBodyBytes) throw bodyTooLargeError()
  try {
    return utf8.decode(bytes)
  } catch {
    throw new AppError('bad_request', 'The body is not UTF-8.')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

async function readStream(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const reader = request.body?.getReader()
  let size = 0
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.byteLength
    if (size > maxBodyBytes) throw bodyTooLargeError()
    chunks.push(part.value)
  }
  return Buffer.concat(chunks)
}

const bodyTooLargeError = (): AppError => new AppError('too_large', 'The body is larger than 1 MB.')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON.')
  }
}

function parseParams(operation: Operation, rawParams: string[]): Params {
  const names = paramNames(operation.path)
  return Object.fromEntries(names.map((name, index) => [name, parsePathId(rawParams[index]!)]))
}

/** Parses an id in a path: a positive safe integer. Throws not_found. */
function parsePathId(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(id)) throw new AppError('not_found', 'Not found')
  return id
}

function parseInput(operation: Operation, request: Request, body: unknown): { query: unknown; body: unknown } {
  return {
    query: operation.query
      ? validate(operation.query, Object.fromEntries(new URL(request.url).searchParams))
      : undefined,
    body: operation.body ? validate(operation.body, body ?? {}) : undefined,
  }
}

function validate(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value, { error: issueMessage })
  if (result.success) return result.data
  const all = result.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
  const issues = all.filter(
    ({ path, message }, index) => all.findIndex((issue) => issue.path === path && issue.message === message) === index,
  )
  throw new AppError('validation_failed', issues[0]!.message, { issues })
}

/** Messages for wrong types, where the schema has none of its own. */
const issueMessage: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'invalid_type' ? `Send ${typeNames[issue.expected] ?? 'another value'}` : undefined

const typeNames: Record<string, string> = {
  boolean: 'true or false',
  string: 'a text',
  number: 'a number',
  array: 'a list',
  object: 'an object',
}

function buildRouteTable(operations: Operation[]): Map<string, Route[]> {
  const byPath = new Map<string, Route>()
  for (const operation of operations) {
    const source = operation.path.replaceAll(/\{\w+\}/g, '([^/]*)')
    const key = operation.path.replaceAll(/\{\w+\}/g, '{}')
    const route = byPath.get(key) ?? { pattern: new RegExp(`^${source}$`), methods: new Map(), isPublic: false }
    if (route.methods.has(operation.method))
      throw new Error(`${operation.method} ${operation.path} is registered twice`)
    route.methods.set(operation.method, operation)
    route.isPublic ||= operation.access === 'public'
    byPath.set(key, route)
  }
  const table = new Map<string, Route[]>()
  // Fixed segments take precedence over ids: /appointments/today before /appointments/{id}.
  for (const [path, route] of [...byPath].sort(([a], [b]) => a.split('{}').length - b.split('{}').length)) {
    const first = path.split('/')[1]!
    table.set(first, [...(table.get(first) ?? []), route])
  }
  return table
}

function matchRoute(table: Map<string, Route[]>, path: string): { route: Route; params: string[] } | null {
  for (const route of table.get(path.split('/')[1] ?? '') ?? []) {
    const groups = route.pattern.exec(path)
    if (groups) return { route, params: groups.slice(1) }
  }
  return null
}

const paramNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
