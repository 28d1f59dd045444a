import type { WriteCtx } from '#tenants/context.ts'
import { Activity, Client } from '../schema.ts'

export type NewActivity = {
  /** Lower-case words with underscores, such as `session_completed`. */
  type: string
  title: string
  description?: string | null
  clientId?: number | null
}

/** Notes what happened, for the dashboard and the client's page, in the transaction of what happened. */
export async function logActivity(ctx: WriteCtx, { type, title, description = null, clientId = null }: NewActivity): Promise<void> {
  const client = clientId === null ? null : ctx.em.getReference(Client, [ctx.coachId, clientId], { wrapped: true })
  ctx.em.create(Activity, { coachId: ctx.coachId, type, title, description, client, createdAt: ctx.now() })
  await ctx.em.flush()
}
