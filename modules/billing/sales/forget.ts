import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'

/** Days after which nobody pays any more: a bank debit takes two weeks at most. */
const keptDays = 30

/** Deletes what visitors wanted to buy and never paid, with their names. Payment links stay until they are withdrawn. */
export async function forgetUnpaidSales(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - keptDays * 86_400_000)
  await forEachCoach(platform, ({ id }) =>
    withTenant(platform, id, async (tx) => {
      await tx.query({
        name: 'billing.forget-sales',
        text: `delete from sale where coach_id = $1 and state <> 'paid' and source <> 'link' and created_at < $2`,
        values: [id, before],
      })
    }),
  )
}
