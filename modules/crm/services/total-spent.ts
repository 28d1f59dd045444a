import type { WriteCtx } from '#tenants/context.ts'

/**
 * Adds cents to a client's total, or takes them away: the module that sells says so in the transaction of the sale. The
 * database adds, so that fifty at once are all counted. A client that was erased has no total.
 */
export async function addToTotalSpent(ctx: WriteCtx, clientId: number | null, cents: number): Promise<void> {
  if (clientId === null || cents === 0) return
  await ctx.rows({ name: 'crm.total-spent', text: 'update client set total_spent = total_spent + $2 where id = $1', values: [clientId, cents] })
}
