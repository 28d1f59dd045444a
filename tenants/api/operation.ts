import type { z } from 'zod'
import type { Ctx, WriteCtx } from '../context.ts'
import type { Platform } from '../platform.ts'
import type { HostTenant, Visitor } from '../auth/viewer.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A call that a signed-in coach makes (or the admin, with `access: 'admin'`). */
export type CoachOperation = {
  access: 'coach' | 'admin'
  method: Method
  /** Below /api, such as `/clients/{id}`. Every `{…}` is a positive integer; another value is a 404. */
  path: string
  summary: string
  description?: string
  tags?: string[]
  query?: z.ZodType
  body?: z.ZodType
  /** Status → what it answers; null for no body. The first one is the success. */
  answers: Record<number, z.ZodType | null>
  /** Runs before the body is looked at: throws not_found for a record that isn't the coach's. */
  find?: (ctx: Ctx, params: Params) => Promise<unknown>
  handle: (ctx: WriteCtx, input: { params: Params; query: unknown; body: unknown; sent: Sent }) => Promise<unknown>
}

/** A call that needs no session. */
export type PublicOperation = Omit<CoachOperation, 'access' | 'handle' | 'find'> & {
  access: 'public'
  /** A coach's own host has no such call, as it has none of the admin's. */
  platformOnly?: true
  handle: (visit: Visit, input: { params: Params; query: unknown; body: unknown; sent: Sent }) => Promise<unknown>
}

export type Operation = CoachOperation | PublicOperation
export type Params = Record<string, number>
/** What an operation may add to its answer. */
export type Sent = { status?: number; headers: Record<string, string>; cookies: Cookie[] }
export type Cookie = { name: string; value: string; maxAge: number }
export type Visit = {
  platform: Platform
  visitor: Visitor
  tenant: HostTenant | null
  address: string
  requestId: string
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

type Reading<Q, B> = Omit<CoachOperation, 'access' | 'method' | 'query' | 'body' | 'handle'> & {
  access?: 'coach' | 'admin'
  method: 'get'
  query?: Q
  body?: B
  handle: (ctx: Ctx, input: { params: Params; query: Parsed<Q>; body: Parsed<B>; sent: Sent }) => Promise<unknown>
}
type Writing<Q, B> = Omit<CoachOperation, 'access' | 'query' | 'body' | 'handle'> & {
  access?: 'coach' | 'admin'
  method: Exclude<Method, 'get'>
  query?: Q
  body?: B
  handle: (ctx: WriteCtx, input: { params: Params; query: Parsed<Q>; body: Parsed<B>; sent: Sent }) => Promise<unknown>
}
type Open<Q, B> = Omit<PublicOperation, 'query' | 'body' | 'handle'> & {
  query?: Q
  body?: B
  handle: (visit: Visit, input: { params: Params; query: Parsed<Q>; body: Parsed<B>; sent: Sent }) => Promise<unknown>
}

/**
 * One call of the HTTP API. Everything else about it (checks in the contract's order, one transaction for a write,
 * retries, the OpenAPI document) is done by the server.
 */
export function operation<Q extends z.ZodType | undefined = undefined, B extends z.ZodType | undefined = undefined>(
  definition: Reading<Q, B> | Writing<Q, B>,
): Operation {
  return { access: 'coach', ...definition } as Operation
}

/** As `operation`, for a call that needs no session. */
export function publicOperation<
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(definition: Omit<Open<Q, B>, 'access'>): Operation {
  return { access: 'public', ...definition } as Operation
}
