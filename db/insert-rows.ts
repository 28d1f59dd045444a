import type { Query } from './read-pool.ts'

/**
 * Inserts rows with VALUES, which can be routed to one tenant's shard; `insert … select` can't. Equal values of a
 * column share a parameter: Postgres takes at most 65,535.
 */
export function insertRows<Column extends string>(
  table: string,
  rows: Record<Column, unknown>[],
  { returning }: { returning?: string } = {},
): Query {
  const columns = Object.keys(rows[0]!) as Column[]
  const values: unknown[] = []
  const placeholders = new Map(columns.map((column) => [column, new Map<unknown, string>()]))
  const bind = (column: Column, value: unknown): string => {
    const known = placeholders.get(column)!
    if (!known.has(value)) known.set(value, `$${values.push(value)}`)
    return known.get(value)!
  }
  const tuples = rows.map((row) => `(${columns.map((column) => bind(column, row[column])).join(', ')})`)
  return {
    text: `insert into ${table} (${columns.join(', ')}) values ${tuples.join(', ')}${returning ? ` returning ${returning}` : ''}`,
    values,
  }
}
