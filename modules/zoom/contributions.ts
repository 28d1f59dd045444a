import type { Contribution } from '#modules/core/manifest.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import type { Ctx } from '#tenants/context.ts'
import { findConnection } from './queries/connection.ts'
import { describeHealth } from './status.ts'

export const contributions: Contribution[] = [
  { slot: 'settings.pane', widget: 'zoom', order: 42, permission: 'zoom:connection:write', load: getCard },
]

/** The state of the connection. */
export async function getCard(ctx: Ctx) {
  const connection = await findConnection(ctx)
  return {
    isConfigured: ctx.platform.config.zoom !== undefined,
    hasPlan: planIncludes(ctx.plan, 'ai-summaries'),
    connection: connection && {
      email: connection.email,
      needsReconnect: connection.state === 'needs_reconnect',
      health: describeHealth(connection, ctx.account),
    },
  }
}
export type ZoomCard = Awaited<ReturnType<typeof getCard>>
