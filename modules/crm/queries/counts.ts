import type { Query } from '#db/read-pool.ts'
import type { Ctx } from '#tenants/context.ts'

/** Counts the clients that are neither archived nor in the trash. */
export async function countClients(ctx: Ctx): Promise<number> {
  const [row] = await ctx.query<{ count: number }>(clientCountQuery)
  return row!.count
}

/** For the platform's statistics, across all coaches. */
export const totalClientsQuery: Query = {
  name: 'crm.total-clients-count',
  text: 'select count(*) as value from client where deleted_at is null and archived_at is null',
}

export const clientCountQuery: Query = {
  name: 'crm.client-count',
  text: 'select count(*) from client where deleted_at is null and archived_at is null',
}
