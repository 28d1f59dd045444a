import type { WriteCtx } from '#tenants/context.ts'

/**
 * Inserts a row of the coach and returns its id. Without an entity, because each flush compares all entities of a
 * transaction, and seeds insert hundreds of rows in one. `row`: by property name; `name`: of the statement, for one set
 * of properties.
 */
export async function insertRow(
  ctx: WriteCtx,
  { table, name, row }: { table: string; name: string; row: Record<string, unknown> },
): Promise<number> {
  // One name must always have the same text.
  const properties = Object.keys(row).sort()
  const columns = properties.map((property) => property.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`))
  const [inserted] = await ctx.query<{ id: number }>({
    name,
    text: `insert into ${table} (coach_id, ${columns.join(', ')})
      values ($1, ${columns.map((_, index) => `$${index + 2}`).join(', ')}) returning id`,
    values: [ctx.coachId, ...properties.map((property) => row[property] ?? null)],
  })
  return inserted!.id
}
