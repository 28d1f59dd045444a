import { AppError } from '#app/lib/errors.ts'
import type { Merge } from '#modules/crm/index.ts'
import type { WriteCtx } from '#tenants/context.ts'

/**
 * Throws conflict if one of the clients has withdrawn the consent for all sessions and the other has one: after the
 * merge the later of the two would count, and a withdrawal must never end by itself.
 */
export async function assertSameConsent(ctx: WriteCtx, { keptId, mergedId }: Merge): Promise<void> {
  const latest = await ctx.query<{ isWithdrawn: boolean }>({
    name: 'summaries.consents-of-both-clients',
    text: `select distinct on (r.client_id) r.withdrawn_at is not null as "isWithdrawn" from recording_consent r
      where r.coach_id = $1 and r.client_id = any($2::bigint[]) order by r.client_id, r.id desc`,
    values: [ctx.coachId, [keptId, mergedId]],
  })
  if (new Set(latest.map(({ isWithdrawn }) => isWithdrawn)).size > 1)
    throw new AppError(
      'conflict',
      'One of them has withdrawn the consent to transcripts, and the other has not. Withdraw the other one, too, or record it again first.',
    )
}
