import type { Query } from '#db/read-pool.ts'
import type { Ctx } from '#tenants/context.ts'

/** Counts the clients that are neither archived nor in the trash. */
export async function countClients(ctx: Ctx): Promise<number> {
  const [row] = await ctx.query<{ count: number }>(clientCountQuery(ctx))
  return row!.count
}

export const totalClientsQuery = ({ coachId }: Ctx): Query => ({
  name: 'crm.total-clients-count',
  text: 'select count(*) as value from client where coach_id = $1 and deleted_at is null and archived_at is null',
  values: [coachId],
})

export const clientCountQuery = ({ coachId }: Ctx): Query => ({
  name: 'crm.client-count',
  text: 'select count(*) from client where coach_id = $1 and deleted_at is null and archived_at is null',
  values: [coachId],
})
