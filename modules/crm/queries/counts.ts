import type { Query } from '#db/read-pool.ts'
import type { Ctx } from '#tenants/context.ts'

/** The clients that count: neither deleted nor archived. */
export async function countClients(ctx: Ctx): Promise<number> {
  const [row] = await ctx.rows<{ count: number }>(countQuery)
  return row!.count
}

/** As the figure of the dashboard. */
export const totalQuery: Query = {
  name: 'crm.total',
  text: 'select count(*) as value from client where deleted_at is null and archived_at is null',
}

export const countQuery: Query = {
  name: 'crm.count',
  text: 'select count(*) from client where deleted_at is null and archived_at is null',
}
