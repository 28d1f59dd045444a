import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import type { Ctx } from '../context.ts'
import type { Sent } from './operation.ts'

const wholeNumber = 'Use a whole number from 1 to 500'

/** `?limit=` and `?cursor=`, as every list of the API takes them. */
export const Paging = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, wholeNumber)
    .transform(Number)
    .pipe(z.number().min(1, wholeNumber).max(500, wholeNumber))
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 500, description: 'The next page stands in the Link header.' }),
  cursor: z
    .string()
    .optional()
    .describe("From the Link header of the page before. It is this list's and this coach's alone."),
})

/** A row's place in a list that is ordered by a time and then by id. */
export type Place = { at: string; id: number }

/**
 * One page of a list, and the `Link` to the next one. `fetch` is asked for one row more than is shown (null: for all of
 * them) behind `after` (null: from the beginning). Throws validation_failed for a cursor that isn't ours.
 */
export async function paged<Row>(
  ctx: Ctx,
  sent: Sent,
  list: {
    /** The list's path, such as `/api/clients`. */
    path: string
    query: { limit?: number | undefined; cursor?: string | undefined } & Record<string, string | number | undefined>
    /** How many rows come when no limit is sent; left out: all. */
    usual?: number
    place: (row: Row) => Place
    fetch: (rows: number | null, after: Place | null) => Promise<Row[]>
  },
): Promise<Row[]> {
  const { limit = list.usual ?? null, cursor, ...kept } = list.query
  const after = cursor === undefined ? null : placeOf(ctx, list.path, cursor)
  const rows = await list.fetch(limit === null ? null : limit + 1, after)
  if (limit === null || rows.length <= limit) return rows
  const shown = rows.slice(0, limit)
  const next = new URLSearchParams({
    limit: String(limit),
    cursor: cursorOf(ctx, list.path, list.place(shown.at(-1)!)),
  })
  for (const [name, value] of Object.entries(kept)) if (value !== undefined) next.set(name, String(value))
  sent.headers.Link = `<${list.path}?${next}>; rel="next"`
  return shown
}

function cursorOf(ctx: Ctx, path: string, { at, id }: Place): string {
  return ctx.platform.secrets.sign(`cursor ${ctx.coachId} ${path}`, `${id} ${at}`)
}

function placeOf(ctx: Ctx, path: string, cursor: string): Place {
  const [, id, at] = /^(\d+) (.+)$/.exec(ctx.platform.secrets.open(`cursor ${ctx.coachId} ${path}`, cursor) ?? '') ?? []
  if (!id || !at) throw new AppError('validation_failed', 'This cursor is not one of this list', { field: 'cursor' })
  return { at, id: Number(id) }
}
