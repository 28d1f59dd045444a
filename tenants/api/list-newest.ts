import type { Ctx } from '../context.ts'
import type { Place } from './cursor.ts'

/** A condition of a list: SQL, or SQL with one `?` and its value. A false one is left out. */
export type Filter = string | [sql: string, value: unknown] | false
/** `rows`: at most so many; null: all. `after`: the row before the page. */
export type Page = { rows?: number | null; after?: Place | null }

/**
 * A page of a list, newest first, by keyset. The name of the prepared statement is made of the keys of the conditions in use,
 * so that one name always has one text.
 */
export async function listNewest<Row extends object>(
  ctx: Ctx,
  list: {
    name: string
    select: string
    from: string
    where: Record<string, Filter>
    /** The columns that order the list, where `from` is more than one table. */
    time?: string
    id?: string
  } & Page,
): Promise<Row[]> {
  const { name, select, from, where, time = `${from}.created_at`, id = `${from}.id`, rows = null, after = null } = list
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const used = Object.entries(where).flatMap(([key, filter]) =>
    filter ? [{ key, sql: typeof filter === 'string' ? filter : filter[0].replace('?', bind(filter[1])) }] : [],
  )
  if (after)
    used.push({ key: 'after', sql: `(${time}, ${id}) < (${bind(after.at)}::timestamptz, ${bind(after.id)}::bigint)` })
  const limit = rows === null ? '' : ` limit ${bind(rows)}`
  return ctx.rows<Row>({
    name: [name, ...used.map(({ key }) => key), ...(limit ? ['limit'] : [])].join('-'),
    text: `select ${select} from ${from} where ${used.map(({ sql }) => sql).join(' and ') || 'true'} order by ${time} desc, ${id} desc${limit}`,
    values,
  })
}
