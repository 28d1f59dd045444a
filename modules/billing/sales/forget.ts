import { fillSlot } from '#modules/core/slots.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'

/** Days: the first two weeks it can be paid, and a bank debit takes two weeks at most. */
const keptDays = 30

/**
 * Deletes what visitors wanted to buy and never paid, with their names. Payment links stay until they are withdrawn.
 */
export async function forgetUnpaidSales(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - keptDays * 86_400_000)
  await forEachCoach(platform, async ({ id }) => {
    const paying = await listPaying(platform, id)
    await withTenant(platform, id, async (tx) => {
      await tx.query({
        name: 'billing.forget-sales',
        text: `delete from sale where coach_id = $1 and state <> 'paid' and source <> 'link' and created_at < $2
          and id <> all($3::bigint[])`,
        values: [id, before, paying],
      })
    })
  })
}

/** The sales whose payment may still arrive, whatever their age. */
async function listPaying(platform: Platform, coachId: number): Promise<number[]> {
  const ctx = await loadCoachContext(platform, coachId, 'forget-sales')
  return ctx ? (await fillSlot(ctx, 'sale.paying')).flatMap(({ data }) => data as number[]) : []
}
