import type { Ctx } from '#tenants/context.ts'
import type { ExportedTable } from './tables.ts'

/** Rows of at most about so many bytes are in memory at once. */
const batchBytes = 256 * 1024
const maxRows = 500
/** Each may have megabytes. */
const maxRowsWithBytes = 4

/** The rows of a table as JSON, by id, in parts of several lines. Calls `onRows` with the number of each part. */
export async function* readRows(
  ctx: Pick<Ctx, 'query' | 'coachId'>,
  table: ExportedTable,
  onRows: (count: number) => void,
  /** Other columns of the same table need another one. */
  statement = 'rows',
): AsyncGenerator<string> {
  const isAccount = table.name === 'account'
  const selected = table.columns.map(({ name, select }) => `${select} as "${name}"`).join(', ')
  const id = isAccount ? 'r.id = $1 and r.id > $2' : 'r.coach_id = $1 and r.id > $2'
  let limit = table.hasBytes ? maxRowsWithBytes : 50
  for (let after = 0; ; ) {
    const rows: { id: number; line: string }[] = await ctx.query<{ id: number; line: string }>({
      name: `export.${statement}.${table.name}`,
      text: `select r.id, row_to_json(c)::text as line
        from "${table.name}" r, lateral (select ${selected}) c
        where ${id} and (${table.where}) order by r.id limit $3`,
      values: [ctx.coachId, after, limit],
    })
    if (!rows.length) return
    onRows(rows.length)
    const lines = rows.map(({ line }) => `${line}\n`).join('')
    yield lines
    if (rows.length < limit) return
    after = rows.at(-1)!.id
    limit = nextLimit(limit, lines.length, table.hasBytes ? maxRowsWithBytes : maxRows)
  }
}

/** Grows at most twofold: the next rows may be larger. */
const nextLimit = (limit: number, bytes: number, max: number): number =>
  Math.max(1, Math.min(max, limit * 2, Math.floor((limit * batchBytes) / bytes)))
