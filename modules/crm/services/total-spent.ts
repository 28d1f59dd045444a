import type { WriteCtx } from '#tenants/context.ts'

/**
 * Holds a client, also one in the trash, until the transaction ends: before its purchases, for whoever changes its total
 * with one of them. One that was erased is not there to be held.
 */
export async function holdClient(ctx: WriteCtx, clientId: number): Promise<void> {
  await ctx.rows({
    name: 'crm.hold-client-for-total',
    text: 'select id from client where id = $1 for no key update',
    values: [clientId],
  })
}

/**
 * Adds cents to a client's total, or takes them away: the module that sells says so in the transaction of the sale. The
 * database adds, so that fifty at once are all counted. A client that was erased has no total.
 */
export async function addToTotalSpent(ctx: WriteCtx, clientId: number | null, cents: number): Promise<void> {
  if (clientId === null || cents === 0) return
  await ctx.rows({
    name: 'crm.total-spent',
    text: 'update client set total_spent = total_spent + $2 where id = $1',
    values: [clientId, cents],
  })
}
