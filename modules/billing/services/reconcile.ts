import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { listDifferences } from '../queries/ledger.ts'

/** Compares invoices, purchases and clients with the ledger, and logs any difference: nothing is corrected silently. */
export async function reconcileLedgers(platform: Platform): Promise<void> {
  await forEachCoach(platform, async ({ id: coachId }) => {
    const differences = await withTenant(platform, coachId, (tx) => listDifferences({ coachId, query: tx.query }))
    for (const difference of differences)
      platform.log.error({ account: coachId, ...difference }, 'the ledger and the stored amount differ')
  })
}
