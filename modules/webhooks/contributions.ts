import type { Contribution } from '#modules/core/manifest.ts'
import { listEndpoints } from './queries/webhooks.ts'
import type { Ctx } from '#tenants/context.ts'

export const contributions: Contribution[] = [
  { slot: 'settings.pane', widget: 'webhooks', order: 90, permission: 'webhooks:endpoint:read', load: loadCard },
]

async function loadCard(ctx: Ctx): Promise<WebhooksCard> {
  const endpoints = await listEndpoints(ctx)
  return { count: endpoints.length, off: endpoints.filter(({ disabledAt }) => disabledAt !== null).length }
}

/** `off`: how many are switched off. */
export type WebhooksCard = { count: number; off: number }
