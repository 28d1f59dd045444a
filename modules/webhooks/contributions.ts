import { formatDateTime } from '#app/lib/time.ts'
import type { Contribution } from '#modules/core/manifest.ts'
import { listEndpoints } from './queries/webhooks.ts'
import type { Ctx } from '#tenants/context.ts'

export const contributions: Contribution[] = [
  { slot: 'settings.pane', widget: 'webhooks', order: 90, permission: 'webhooks:endpoint:read', load: loadCard },
]

async function loadCard(ctx: Ctx): Promise<WebhooksCard> {
  const endpoints = await listEndpoints(ctx)
  const lastSuccess = endpoints
    .flatMap(({ lastSuccessAt }) => lastSuccessAt ?? [])
    .toSorted()
    .at(-1)
  return {
    count: endpoints.length,
    off: endpoints.filter(({ disabledAt }) => disabledAt !== null).length,
    failing: endpoints.filter(({ failingSince }) => failingSince !== null).length,
    lastSuccess: lastSuccess ? formatDateTime(lastSuccess, ctx.account) : null,
  }
}

/** Counts of webhooks: `off`: switched off. `failing`: without a success since the first failure, also if they were switched off for it. */
export type WebhooksCard = { count: number; off: number; failing: number; lastSuccess: string | null }
