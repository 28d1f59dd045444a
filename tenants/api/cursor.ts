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

/** The most rows of a list, without `limit`. Source: api.md "Lists". */
const maxRows = 1000
/** A page with more ends early, so that several of them fit into memory at once. */
const maxCharacters = 500_000

/**
 * The rows to read first, most often all of them. A list without a small limit may have long rows, and more so on its
 * later pages.
 */
function firstBatch(count: number, after: Cursor | null): number {
  if (count <= 50) return count + 1
  return after ? 10 : 31
}

/** The position of a row in a list ordered by a time and then by id. */
export type Cursor = { at: string; id: number }

/**
 * Returns one page of a list and adds the `Link` header of the next one. `fetch` gets rows after `after` (null: from
 * the start). Throws validation_failed for an invalid cursor.
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
    /** The rows of a request without `limit`; by default 1,000. */
    defaultLimit?: number
    toCursor: (row: Row) => Cursor
    fetch: (rows: number, after: Cursor | null) => Promise<Row[]>
  },
): Promise<Row[]> {
  const { limit = list.defaultLimit, cursor, ...filters } = list.query
  const after = cursor === undefined ? null : parseCursor(ctx, list.path, cursor)
  const { page, hasMore } = await fetchPage(list, limit ?? maxRows, after)
  if (!hasMore) return page
  const next = new URLSearchParams({
    ...(limit === undefined ? {} : { limit: String(limit) }),
    cursor: formatCursor(ctx, list.path, list.toCursor(page.at(-1)!)),
  })
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined && value !== null) next.set(name, String(value))
  response.headers.Link = `<${list.path}?${next}>; rel="next"`
  return page
}

/** At most `count` rows: fewer if they are long, so that a response fits into memory. */
async function fetchPage<Row>(
  {
    fetch,
    toCursor,
  }: { fetch: (rows: number, after: Cursor | null) => Promise<Row[]>; toCursor: (row: Row) => Cursor },
  count: number,
  after: Cursor | null,
): Promise<{ page: Row[]; hasMore: boolean }> {
  const rows: Row[] = []
  let size = 0
  // One row more than the page has tells whether there are more.
  for (let batch = firstBatch(count, after); batch > 0; ) {
    const fetched = await fetch(batch, rows.length ? toCursor(rows.at(-1)!) : after)
    rows.push(...fetched)
    if (fetched.length < batch) return { page: rows, hasMore: false }
    if (rows.length > count) break
    for (const row of fetched) size += countCharacters(row as Record<string, unknown>)
    const fitting = Math.ceil((maxCharacters - size) / (size / rows.length))
    batch = Math.min(count + 1 - rows.length, fitting)
  }
  return { page: rows.slice(0, -1), hasMore: true }
}

/** A loop, because this runs for every value of a list. */
function countCharacters(row: Record<string, unknown>): number {
  let count = 0
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string') count += value.length
    else if (typeof value === 'object' && value !== null) count += countCharacters(value as Record<string, unknown>)
    else count += 8
  }
  return count
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
