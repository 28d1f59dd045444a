import { z } from 'zod'
import type { Ctx, WriteCtx } from '../context.ts'
import type { Page } from './list-newest.ts'
import { operation, type Operation } from './operation.ts'
import { paginate, PageParams, type Cursor } from './cursor.ts'

/** Replaces the generated summary. */
type Described = { summary?: string; description?: string }
type Row = { id: number; createdAt: string }

type ResourceAction<R> = {
  summary: string
  description?: string
  refusals?: number[]
  run: (ctx: WriteCtx, id: number) => Promise<R>
}

/** The operations of one kind of record: list, get, create, update, delete, restore; omitted ones don't exist. */
export function resource<
  R extends Row,
  C extends z.ZodType,
  U extends z.ZodType,
  Q extends z.ZodRawShape = Record<never, never>,
  D extends z.ZodRawShape = Record<never, never>,
>(definition: {
  /** 'admin': for the administrator only. */
  access?: 'admin'
  /** Plural, below /api: '/products'. */
  path: `/${string}`
  /** In the API's documentation, by default from the path. */
  tag?: string
  /** Singular, for summaries: 'product'. */
  noun: string
  output: z.ZodType<R>
  get?: (ctx: Ctx, id: number) => Promise<R>
  /** `query`: parameters in addition to `limit` and `cursor`. */
  list?: Described & {
    query?: z.ZodObject<Q>
    run: (ctx: Ctx, page: Page, query: z.output<z.ZodObject<Q>>) => Promise<R[]>
  }
  create?: Described & { body: C; run: (ctx: WriteCtx, input: z.output<C>) => Promise<R> }
  /** `put`: PUT works as PATCH does. */
  update?: Described & { body: U; put?: true; run: (ctx: WriteCtx, id: number, input: z.output<U>) => Promise<R> }
  delete?: Described & {
    query?: z.ZodObject<D>
    run: (ctx: WriteCtx, id: number, query: z.output<z.ZodObject<D>>) => Promise<void>
  }
  restore?: (ctx: WriteCtx, id: number) => Promise<R>
  /** Further changes of a record, by their path: POST /products/{id}/archive. */
  actions?: Record<string, ResourceAction<R>>
}): Operation[] {
  const { path, noun, output, get, list, create, update, delete: remove, restore, actions = {} } = definition
  const plural = path.slice(path.lastIndexOf('/') + 1)
  const a = /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
  const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
  const about = (summary: string, own: Described = {}) => ({
    access: definition.access ?? ('coach' as const),
    tags: [definition.tag ?? capital(plural)],
    summary: own.summary ?? summary,
    ...(own.description ? { description: own.description } : {}),
  })
  const one = { path: `${path}/{id}` }
  const operations: Operation[] = []

  if (list) {
    operations.push(
      listOperation({
        ...about(`List ${plural}`, list),
        path,
        output,
        ...(list.query ? { query: list.query } : {}),
        run: (ctx, page, query) => list.run(ctx, page, query as z.output<z.ZodObject<Q>>),
        toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
      }),
    )
  }
  if (create) {
    const run = (ctx: WriteCtx, { body }: { body: unknown }) => create.run(ctx, body as z.output<C>)
    operations.push(
      operation({
        ...about(`Add ${a}`, create),
        method: 'post',
        path,
        body: create.body,
        answers: { 201: output },
        handle: run,
      }),
    )
  }
  if (get) {
    operations.push(
      operation({
        ...about(capital(a)),
        ...one,
        method: 'get',
        answers: { 200: output },
        handle: (ctx, { params }) => get(ctx, params.id!),
      }),
    )
  }
  if (update) {
    const change = {
      ...one,
      body: update.body,
      answers: { 200: output },
      ...(get ? { find: (ctx: Ctx, { id }: { id?: number }) => get(ctx, id!) } : {}),
      handle: (ctx: WriteCtx, { params, body }: { params: { id?: number }; body: unknown }) =>
        update.run(ctx, params.id!, body as z.output<U>),
    }
    if (update.put) operations.push(operation({ ...about(`Change ${a}`, update), ...change, method: 'put' }))
    operations.push(
      operation({ ...about(`Change ${a}${update.put ? ' (as PUT)' : ''}`, update), ...change, method: 'patch' }),
    )
  }
  if (remove) {
    operations.push(
      operation({
        ...about(`Move ${a} to the trash`, remove),
        ...one,
        method: 'delete',
        ...(remove.query ? { query: remove.query } : {}),
        answers: { 204: null },
        handle: (ctx, { params, query }) => remove.run(ctx, params.id!, query as z.output<z.ZodObject<D>>),
      }),
    )
  }
  if (restore) {
    const handle = (ctx: WriteCtx, { params }: { params: { id?: number } }) => restore(ctx, params.id!)
    operations.push(
      operation({
        ...about(`Restore ${a} from the trash`),
        path: `${one.path}/restore`,
        method: 'post',
        answers: { 200: output },
        handle,
      }),
    )
  }
  for (const [name, { run, refusals, ...described }] of Object.entries(actions)) {
    operations.push(
      operation({
        ...about(described.summary, described),
        ...(refusals ? { refusals } : {}),
        path: `${one.path}/${name}`,
        method: 'post',
        answers: { 200: output },
        handle: (ctx: WriteCtx, { params }: { params: { id?: number } }) => run(ctx, params.id!),
      }),
    )
  }
  return operations
}

/** GET of a list that supports `limit` and `cursor`. */
export function listOperation<R extends { id: number }>(definition: {
  access?: 'coach' | 'admin'
  tags: string[]
  path: `/${string}`
  summary: string
  description?: string
  output: z.ZodType<R>
  /** Parameters in addition to `limit` and `cursor`. */
  query?: z.ZodObject
  /** The page size without `limit`; default: 1,000. */
  defaultLimit?: number
  /** Throws not_found for an unknown parent. */
  find?: (ctx: Ctx, params: { id?: number }) => Promise<unknown>
  run: (ctx: Ctx, page: Page, query: Record<string, unknown>, params: { id?: number }) => Promise<R[]>
  /** The column that orders the list. */
  toCursor: (row: R) => Cursor
}): Operation {
  const { output, query: extra, defaultLimit, run, toCursor, ...described } = definition
  return operation({
    ...described,
    method: 'get',
    query: PageParams.extend(extra?.shape ?? {}),
    answers: { 200: z.array(output) },
    handle: (ctx, { params, query, response }) =>
      paginate(ctx, response, {
        path: `/api${described.path.replace('{id}', String(params.id))}`,
        query: query as z.output<typeof PageParams>,
        ...(defaultLimit === undefined ? {} : { defaultLimit }),
        fetch: (rows, after) => run(ctx, { rows, after }, query as Record<string, unknown>, params),
        toCursor,
      }),
  })
}
