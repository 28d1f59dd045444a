import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'

/** Notes of the emails about an entry of the ledger: to the coach about a payment, and the receipt to the client. */
type ClaimTable = 'payment_email' | 'receipt_email'

/**
 * Sends an email about an entry of the ledger, at most once: the email is noted before the mail server gets it, and the
 * note deleted only if the server certainly did not take it (decision 0053). Throws the server's error, so that the job
 * is retried, unless it refuses the address permanently.
 */
export async function sendOnce(ctx: Ctx, table: ClaimTable, entryId: number, send: () => Promise<void>): Promise<void> {
  if (!(await ctx.write((tx) => claim(tx, table, entryId)))) return
  try {
    await send()
  } catch (error) {
    if (isRefused(error)) {
      // Its message names the address.
      const { responseCode } = error as { responseCode?: number }
      return ctx.platform.log.warn({ table, entryId, responseCode }, 'the mail server refused an email about a payment')
    }
    if (wasNotTaken(error)) await ctx.write((tx) => release(tx, table, entryId))
    throw error
  }
}

/** Whether no other job has sent the email, or is sending it. */
async function claim(ctx: WriteCtx, table: ClaimTable, entryId: number): Promise<boolean> {
  const claimed = await ctx.query({
    name: `billing.claim-${table}`,
    text: `insert into ${table} (coach_id, ledger_entry_id, claimed_at) values ($1, $2, $3)
      on conflict (coach_id, ledger_entry_id) do nothing returning id`,
    values: [ctx.coachId, entryId, ctx.now()],
  })
  return claimed.length > 0
}

async function release(ctx: WriteCtx, table: ClaimTable, entryId: number): Promise<void> {
  await ctx.query({
    name: `billing.release-${table}`,
    text: `delete from ${table} where coach_id = $1 and ledger_entry_id = $2`,
    values: [ctx.coachId, entryId],
  })
}
