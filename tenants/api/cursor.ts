import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import type { Ctx } from '../context.ts'
import type { ResponseMeta } from './operation.ts'

const limitMessage = 'Use a whole number from 1 to 500'

/** The query parameters of every list of the API. */
export const PageParams = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, limitMessage)
    .transform(Number)
    .pipe(z.number().min(1, limitMessage).max(500, limitMessage))
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 500, description: 'The Link header has the URL of the next page.' }),
  cursor: z.string().optional().describe('From the Link header of the previous page of the same list.'),
})

/** The position of a row in a list ordered by a time and then by id. */
export type Cursor = { at: string; id: number }

/**
 * Returns one page of a list and adds the `Link` header of the next one. `fetch` gets one row more than the page has
 * (null: all), after `after` (null: from the start). Throws validation_failed for an invalid cursor.
 */
export async function paginate<Row>(
  ctx: Ctx,
  response: ResponseMeta,
  list: {
    /** The list's path, such as `/api/clients`. */
    path: string
    query: { limit?: number | undefined; cursor?: string | undefined } & Record<
      string,
      string | number | null | undefined
    >
    /** Without it, a request without `limit` gets all rows. */
    defaultLimit?: number
    toCursor: (row: Row) => Cursor
    fetch: (rows: number | null, after: Cursor | null) => Promise<Row[]>
  },
): Promise<Row[]> {
  const { limit = list.defaultLimit ?? null, cursor, ...filters } = list.query
  const after = cursor === undefined ? null : parseCursor(ctx, list.path, cursor)
  const rows = await list.fetch(limit === null ? null : limit + 1, after)
  if (limit === null || rows.length <= limit) return rows
  const page = rows.slice(0, limit)
  const next = new URLSearchParams({
    limit: String(limit),
    cursor: formatCursor(ctx, list.path, list.toCursor(page.at(-1)!)),
  })
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined && value !== null) next.set(name, String(value))
  response.headers.Link = `<${list.path}?${next}>; rel="next"`
  return page
}

function formatCursor(ctx: Ctx, path: string, { at, id }: Cursor): string {
  return ctx.platform.signingKeys.sign(getPurpose(ctx, path), `${id} ${at}`)
}

function parseCursor(ctx: Ctx, path: string, cursor: string): Cursor {
  const value = ctx.platform.signingKeys.verify(getPurpose(ctx, path), cursor)
  const [, id, at] = /^(\d+) (.+)$/.exec(value ?? '') ?? []
  if (!id || !at) throw new AppError('validation_failed', 'This cursor belongs to another list', { field: 'cursor' })
  return { at, id: Number(id) }
}

const getPurpose = (ctx: Ctx, path: string): string => `cursor ${ctx.coachId} ${path}`
