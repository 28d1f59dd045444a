import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Ctx, PermissionName, WriteCtx } from '../context.ts'
import type { Platform } from '../platform.ts'
import type { HostTenant, Viewer } from '../auth/viewer.ts'
import type { FileSource } from '../files/file-reply.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** An API operation for signed-in coaches, or with `access: 'admin'` for the administrator. */
export type CoachOperation = {
  access: 'coach' | 'admin'
  method: Method
  /** Below /api, such as `/clients/{id}`. Each `{…}` is a positive integer; other values are a 404. */
  path: string
  summary: string
  description?: string
  tags?: string[]
  query?: z.ZodType
  body?: z.ZodType
  /** The response body of each status, null for none. The first one is the success. */
  answers: Record<number, z.ZodType | null>
  /** The statuses of errors that depend on the state of the practice or of the platform, such as 409. */
  refusals?: number[]
  /** Needed by an API key, where no service asks for a permission. */
  permission?: PermissionName
  /** For the coach's own plan: there also while its module is switched off. */
  ofPlan?: true
  /** Refused to API keys, as what administrators do is. */
  sessionOnly?: true
  /** Runs before the body is parsed: throws not_found for a missing record. */
  find?: (ctx: Ctx, params: Params) => Promise<unknown>
  /** Calls another service, so that no transaction may be open: `handle` gets a Ctx. Without Idempotency-Key. */
  callsVendor?: true
  /** Also takes a body that is no JSON. */
  content?: ContentHandler
  handle: (
    ctx: WriteCtx,
    input: { params: Params; query: unknown; body: unknown; response: ResponseMeta },
  ) => Promise<unknown>
}

/** Reads a body of another media type as it comes in. No transaction is open; without Idempotency-Key. */
export type ContentHandler = {
  type: 'multipart/form-data' | 'application/octet-stream'
  handle: (
    ctx: Ctx,
    input: { params: Params; query: unknown; content: Content; response: ResponseMeta },
  ) => Promise<unknown>
}
/** `type` with its parameters; `length` null: unknown. What is left unread is dropped. */
export type Content = { type: string; length: number | null; stream: Readable }

/**
 * Returned by a GET operation whose response is a file, or a range of it: its declared schema is `FileAnswerOut`, and
 * `refusals` has 416. `headers` name the type.
 */
export class FileAnswer {
  readonly source: FileSource
  readonly headers: Record<string, string>
  constructor(source: FileSource, headers: Record<string, string>) {
    this.source = source
    this.headers = headers
  }
}
export const FileAnswerOut = z.instanceof(FileAnswer)

/** An operation that needs no session. */
export type PublicOperation = Omit<CoachOperation, 'access' | 'handle' | 'find' | 'content' | 'sessionOnly'> & {
  access: 'public'
  /** Not found on a coach's own host, like the admin's operations. */
  platformOnly?: true
  handle: (
    context: RequestContext,
    input: { params: Params; query: unknown; body: unknown; response: ResponseMeta },
  ) => Promise<unknown>
}

export type Operation = CoachOperation | PublicOperation
export type Params = Record<string, number>
/** Status, headers and cookies that a handler adds to its response. */
export type ResponseMeta = { status?: number; headers: Record<string, string>; cookies: Cookie[] }
export type Cookie = { name: string; value: string; maxAge: number }
export type RequestContext = {
  platform: Platform
  viewer: Viewer
  tenant: HostTenant | null
  address: string
  userAgent: string | null
  requestId: string
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

type ReadOperation<Q, B> = Omit<CoachOperation, 'access' | 'method' | 'query' | 'body' | 'handle' | 'callsVendor'> & {
  access?: 'coach' | 'admin'
  method: 'get'
  query?: Q
  body?: B
  handle: (
    ctx: Ctx,
    input: { params: Params; query: Parsed<Q>; body: Parsed<B>; response: ResponseMeta },
  ) => Promise<unknown>
}
type WriteOperation<Q, B> = Omit<CoachOperation, 'access' | 'query' | 'body' | 'handle' | 'callsVendor'> & {
  access?: 'coach' | 'admin'
  method: Exclude<Method, 'get'>
  query?: Q
  body?: B
  handle: (
    ctx: WriteCtx,
    input: { params: Params; query: Parsed<Q>; body: Parsed<B>; response: ResponseMeta },
  ) => Promise<unknown>
}
type OpenOperation<Q, B> = Omit<PublicOperation, 'query' | 'body' | 'handle'> & {
  query?: Q
  body?: B
  handle: (
    context: RequestContext,
    input: { params: Params; query: Parsed<Q>; body: Parsed<B>; response: ResponseMeta },
  ) => Promise<unknown>
}

/**
 * Defines an operation of the HTTP API. The server parses and checks the request in the specified order, runs writes in
 * one transaction, handles idempotency keys and writes the OpenAPI document.
 */
export function operation<Q extends z.ZodType | undefined = undefined, B extends z.ZodType | undefined = undefined>(
  definition: ReadOperation<Q, B> | WriteOperation<Q, B>,
): Operation {
  return { access: 'coach', ...definition } as Operation
}

/** As `operation`, for one that calls another service: no transaction may be open while it does. */
export function vendorOperation<B extends z.ZodType | undefined = undefined>(
  definition: Omit<ReadOperation<undefined, B>, 'method'> & { method: 'post' },
): Operation {
  return { access: 'coach', callsVendor: true, ...definition } as Operation
}

/**
 * Operations whose services ask for no permission: an API key needs that of `noun`, such as `core:upload`, to read or
 * write.
 */
export const withPermission = (noun: `${string}:${string}`, operations: Operation[]): Operation[] =>
  operations.map((each) =>
    each.access === 'public' ? each : { ...each, permission: `${noun}:${each.method === 'get' ? 'read' : 'write'}` },
  )

/** As `operation`, without a session. */
export function publicOperation<
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(definition: Omit<OpenOperation<Q, B>, 'access'>): Operation {
  return { access: 'public', ...definition } as Operation
}
