import { dayMs, hourMs } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { listSupportGrants } from './queries/support-access.ts'
import { SupportGrant } from './schema.ts'

/** Two consents of the demo practice, of the past: nobody may see inside now. */
export async function seed(ctx: Ctx): Promise<void> {
  if ((await listSupportGrants(ctx, 1)).length) return
  const daysAgo = (days: number) => new Date(ctx.now().getTime() - days * dayMs)
  await ctx.write(async ({ em, coachId }) => {
    for (const { days, reason } of [
      { days: 40, reason: 'The times of my sessions look wrong after the move.' },
      { days: 12, reason: 'An invoice can’t be sent.' },
    ]) {
      const createdAt = daysAgo(days)
      em.create(SupportGrant, { coachId, reason, createdAt, expiresAt: new Date(createdAt.getTime() + 24 * hourMs) })
    }
  })
}
