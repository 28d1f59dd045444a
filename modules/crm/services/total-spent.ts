import type { WriteCtx } from '#tenants/context.ts'

/** Locks a client, also one in the trash, before its purchases. Does nothing for a permanently deleted one. */
export async function lockClient(ctx: WriteCtx, clientId: number): Promise<void> {
  await ctx.query({
    name: 'crm.lock-client',
    text: 'select id from client where coach_id = $1 and id = $2 for no key update',
    values: [ctx.coachId, clientId],
  })
}

/**
 * Adds cents, possibly negative, to a client's total in the transaction of the purchase. The database adds, so that
 * concurrent purchases all count. Does nothing without a client.
 */
export async function addToTotalSpent(ctx: WriteCtx, clientId: number | null, cents: number): Promise<void> {
  if (clientId === null || cents === 0) return
  await ctx.query({
    name: 'crm.add-to-total-spent',
    text: 'update client set total_spent = total_spent + $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, clientId, cents],
  })
}
