import type { Ctx } from '../context.ts'
import type { Cursor } from './cursor.ts'

/** A condition: SQL, or SQL with one `?` and its value. False conditions are skipped. */
export type Filter = string | [sql: string, value: unknown] | false
/** `rows`: the most rows to return; null: all. `after`: the last row of the previous page. */
export type Page = { rows?: number | null; after?: Cursor | null }

/**
 * A page of a list of the coach, newest first. `from` is a table of the tenant, or several; for joined ones, `where`
 * must say `coach_id = $1`. The statement's name contains the keys of the conditions in use, so that one name always
 * has one text.
 */
export async function listNewest<Row extends object>(
  ctx: Ctx,
  list: {
    name: string
    select: string
    from: string
    where: Record<string, Filter>
    /** What `select` and `from` need besides the coach: $2, $3, … */
    values?: unknown[]
    /** The columns to order by, with the table's alias, if `from` has several tables. */
    time?: string
    id?: string
  } & Page,
): Promise<Row[]> {
  const { name, select, from, where, time = `${from}.created_at`, id = `${from}.id`, rows = null, after = null } = list
  const listed = time.slice(0, time.indexOf('.'))
  const values: unknown[] = [ctx.coachId, ...(list.values ?? [])]
  const bind = (value: unknown) => `$${values.push(value)}`
  const conditions = Object.entries(where).flatMap(([key, filter]) =>
    filter ? [{ key, sql: typeof filter === 'string' ? filter : filter[0].replace('?', bind(filter[1])) }] : [],
  )
  if (after)
    conditions.push({
      key: 'after',
      sql: `(${time}, ${id}) < (${bind(after.at)}::timestamptz, ${bind(after.id)}::bigint)`,
    })
  const limit = rows === null ? '' : ` limit ${bind(rows)}`
  return ctx.query<Row>({
    name: [name, ...conditions.map(({ key }) => key), ...(limit ? ['limit'] : [])].join('-'),
    text: `select ${select} from ${from}
      where ${[`${listed}.coach_id = $1`, ...conditions.map(({ sql }) => sql)].join(' and ')}
      order by ${time} desc, ${id} desc${limit}`,
    values,
  })
}
