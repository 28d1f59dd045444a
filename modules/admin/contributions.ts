import type { Contribution } from '#modules/core/manifest.ts'
import { formatDateTime } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { isCurrent, listSupportGrants } from './queries/support-access.ts'

export const contributions: Contribution[] = [
  {
    slot: 'settings.pane',
    widget: 'support-access',
    order: 95,
    permission: 'admin:support-access:read',
    load: loadSupportCard,
  },
]

/** `until`: null while support may not read the practice. */
export type SupportCard = { until: string | null }

async function loadSupportCard(ctx: Ctx): Promise<SupportCard> {
  const [latest] = await listSupportGrants(ctx, 1)
  return { until: latest && isCurrent(latest, ctx.now()) ? formatDateTime(latest.expiresAt, ctx.account) : null }
}
