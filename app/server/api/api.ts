import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { coachCtx, type Ctx, type WriteCtx } from '#tenants/context.ts'
import type { CoachOperation, Cookie, Operation, Params, PublicOperation, Sent, Visit } from '#tenants/api/operation.ts'
import { Retry } from '#tenants/schema.ts'

const maxBody = 1024 * 1024
const retryHours = 24

/** What a call is answered with, before it becomes a Response. `body` is the text that is sent. */
export type Answer = { status: number; body: string | null; headers: Record<string, string>; cookies: Cookie[] }
export type Api = {
  /** Answers a call, or throws its refusal. `matched` hears which path of the table it is, for the log. */
  answer(request: Request, path: string, visit: Visit, matched?: (path: string) => void): Promise<Answer>
  operations: Operation[]
}

type Route = { pattern: RegExp; names: string[]; methods: Map<string, Operation>; open: boolean }

/** The API of all modules behind one function: matches the path and makes the checks in the contract's order. */
export function createApi(operations: Operation[]): Api {
  const routes = tableOf(operations)
  return { operations, answer }

  async function answer(
    request: Request,
    path: string,
    visit: Visit,
    matched?: (path: string) => void,
  ): Promise<Answer> {
    const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase()
    const found = match(routes, path)
    if (found) matched?.(anyOf(found.route).path)
    const { account } = visit.visitor
    if (!account && !found?.route.open) throw new AppError('unauthorized', 'Please sign in.')
    const operation = found?.route.methods.get(method)
    if (!found || (visit.tenant && onPlatformAlone(anyOf(found.route))))
      throw new AppError('not_found', 'There is no such call.')
    if (!operation) {
      const allowed = [...found.route.methods.keys()].map((name) => name.toUpperCase())
      throw new AppError('method_not_allowed', 'This call does not exist for this address.', {
        headers: { Allow: [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])].join(', ') },
      })
    }
    if (operation.access === 'public') return answerPublic(operation, request, found.params, visit)
    if (!account) throw new AppError('unauthorized', 'Please sign in.')
    if (operation.access === 'admin' && !account.isAdmin)
      throw new AppError('forbidden', 'This is for the administrator of the platform.')
    return answerCoach(operation, request, found.params, coachCtx(visit.platform, account, visit.requestId))
  }
}

const anyOf = (route: Route): Operation => route.methods.values().next().value!
const onPlatformAlone = (operation: Operation): boolean =>
  operation.access === 'admin' || (operation.access === 'public' && operation.platformOnly === true)

async function answerPublic(
  operation: PublicOperation,
  request: Request,
  raw: string[],
  visit: Visit,
): Promise<Answer> {
  const sent = await bodyOf(request, operation)
  const params = paramsOf(operation, raw)
  const out: Sent = { headers: {}, cookies: [] }
  const body = await operation.handle(visit, { params, ...parsed(operation, request, sent?.value), sent: out })
  return answerOf(operation, body, out)
}

async function answerCoach(operation: CoachOperation, request: Request, raw: string[], ctx: Ctx): Promise<Answer> {
  const sent = await bodyOf(request, operation)
  const params = paramsOf(operation, raw)
  const out: Sent = { headers: {}, cookies: [] }

  if (operation.method === 'get') {
    await operation.find?.(ctx, params)
    const input = { params, ...parsed(operation, request, undefined), sent: out }
    // A reading operation never touches `em`: its type is a Ctx (see `operation`).
    return answerOf(operation, await operation.handle(ctx as WriteCtx, input), out)
  }

  const key = operation.method === 'post' ? request.headers.get('idempotency-key') : null
  const early = operation.find ? undefined : parsed(operation, request, sent?.value)
  return ctx.write(async (tx) => {
    await operation.find?.(tx, params)
    const input = { params, ...(early ?? parsed(operation, request, sent?.value)), sent: out }
    const once = async () => answerOf(operation, await operation.handle(tx, input), out)
    return key === null ? once() : onlyOnce(tx, key, request, sent?.text ?? '', once)
  })
}

/** The first answer again, for a POST that is sent a second time with the same key. At once: the second waits for the first. */
async function onlyOnce(
  ctx: WriteCtx,
  key: string,
  request: Request,
  text: string,
  act: () => Promise<Answer>,
): Promise<Answer> {
  if (key === '' || key.length > 255)
    throw new AppError('validation_failed', 'Idempotency-Key has 1 to 255 characters.', { field: 'Idempotency-Key' })
  const requestHash = createHash('sha256')
    .update(`${new URL(request.url).pathname}\n${text}`)
    .digest()
  const now = ctx.now()
  const fresh = new Date(now.getTime() - retryHours * 3_600_000)
  const taken = await ctx.rows({
    name: 'retry.take',
    text: `insert into retry (coach_id, key, request_hash, created_at) values ($1, $2, $3, $4)
      on conflict (coach_id, key) do update set request_hash = excluded.request_hash, created_at = excluded.created_at, status = null, body = null
        where retry.created_at <= $5
      returning key`,
    values: [ctx.coachId, key, requestHash, now, fresh],
  })
  if (!taken.length) {
    const [first] = await ctx.rows<{ request_hash: Buffer; status: number; body: string | null }>({
      name: 'retry.first',
      text: 'select request_hash, status, body from retry where coach_id = $1 and key = $2',
      values: [ctx.coachId, key],
    })
    if (!first?.request_hash.equals(requestHash)) {
      throw new AppError('validation_failed', 'This Idempotency-Key was used for another request.', {
        field: 'Idempotency-Key',
      })
    }
    return { status: first.status, body: first.body, headers: {}, cookies: [] }
  }
  const answer = await act()
  await ctx.em.nativeUpdate(Retry, { coachId: ctx.coachId, key }, { status: answer.status, body: answer.body })
  return answer
}

function answerOf(operation: Operation, body: unknown, sent: Sent): Answer {
  const [declared] = Object.keys(operation.answers)
  const status = sent.status ?? Number(declared)
  return {
    status,
    body: operation.answers[status] === null ? null : JSON.stringify(body),
    headers: sent.headers,
    cookies: sent.cookies,
  }
}

/** Media type, size, JSON: in this order. Undefined for a call without a body. */
async function bodyOf(request: Request, operation: Operation): Promise<{ value: unknown; text: string } | undefined> {
  if (operation.method === 'get') return undefined
  const declared = request.headers.get('content-length')
  const hasBody = declared !== null ? declared !== '0' : request.headers.has('transfer-encoding')
  const type = request.headers.get('content-type')
  if (hasBody && !/^application\/json\s*(;|$)/i.test(type ?? '')) {
    throw new AppError('unsupported_media_type', 'Send the body as application/json.')
  }
  const text = hasBody ? await textOf(request, declared) : ''
  if (text.trim() === '') return { value: {}, text }
  const value = fromJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('bad_request', 'The body must be a JSON object.')
  return { value, text }
}

async function textOf(request: Request, declared: string | null): Promise<string> {
  if (Number(declared ?? 0) > maxBody) throw tooLarge()
  // A declared length is held to by the HTTP parser, and needs no stream to count it.
  const bytes = declared === null ? await counted(request) : new Uint8Array(await request.arrayBuffer())
  if (bytes.byteLength > maxBody) throw tooLarge()
  try {
    return utf8.decode(bytes)
  } catch {
    throw new AppError('bad_request', 'The body is not UTF-8.')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

async function counted(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const reader = request.body?.getReader()
  let size = 0
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.byteLength
    if (size > maxBody) throw tooLarge()
    chunks.push(part.value)
  }
  return Buffer.concat(chunks)
}

const tooLarge = (): AppError => new AppError('too_large', 'The body is larger than 1 MB.')

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON.')
  }
}

function paramsOf(operation: Operation, raw: string[]): Params {
  const names = namesOf(operation.path)
  return Object.fromEntries(names.map((name, index) => [name, idOf(raw[index]!)]))
}

/** A positive integer as Postgres' bigint and JavaScript both hold it. Throws not_found for anything else. */
export function idOf(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(id)) throw new AppError('not_found', 'Not found')
  return id
}

function parsed(operation: Operation, request: Request, body: unknown): { query: unknown; body: unknown } {
  return {
    query: operation.query ? check(operation.query, Object.fromEntries(new URL(request.url).searchParams)) : undefined,
    body: operation.body ? check(operation.body, body ?? {}) : undefined,
  }
}

function check(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value, { error: inWords })
  if (result.success) return result.data
  const said = result.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
  const issues = said.filter(
    ({ path, message }, at) => said.findIndex((one) => one.path === path && one.message === message) === at,
  )
  throw new AppError('validation_failed', issues[0]!.message, { issues })
}

/** For a field whose schema has no words of its own. */
const inWords: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'invalid_type' ? `Send ${kinds[issue.expected] ?? 'another value'}` : undefined

const kinds: Record<string, string> = {
  boolean: 'true or false',
  string: 'a text',
  number: 'a number',
  array: 'a list',
  object: 'an object',
}

function tableOf(operations: Operation[]): Map<string, Route[]> {
  const byPath = new Map<string, Route>()
  for (const operation of operations) {
    const names = namesOf(operation.path)
    const source = operation.path.replaceAll(/\{\w+\}/g, '([^/]*)')
    const key = operation.path.replaceAll(/\{\w+\}/g, '{}')
    const route = byPath.get(key) ?? { pattern: new RegExp(`^${source}$`), names, methods: new Map(), open: false }
    if (route.methods.has(operation.method))
      throw new Error(`${operation.method} ${operation.path} is registered twice`)
    route.methods.set(operation.method, operation)
    route.open ||= operation.access === 'public'
    byPath.set(key, route)
  }
  const table = new Map<string, Route[]>()
  // Fixed segments win over ids: /appointments/today before /appointments/{id}.
  for (const [path, route] of [...byPath].sort(([a], [b]) => a.split('{}').length - b.split('{}').length)) {
    const first = path.split('/')[1]!
    table.set(first, [...(table.get(first) ?? []), route])
  }
  return table
}

function match(table: Map<string, Route[]>, path: string): { route: Route; params: string[] } | null {
  for (const route of table.get(path.split('/')[1] ?? '') ?? []) {
    const found = route.pattern.exec(path)
    if (found) return { route, params: found.slice(1) }
  }
  return null
}

const namesOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
