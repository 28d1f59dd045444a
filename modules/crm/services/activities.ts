import type { WriteCtx } from '#tenants/context.ts'

export type NewActivity = {
  /** Lower-case words with underscores, such as `session_completed`. */
  type: string
  title: string
  description?: string | null
  clientId?: number | null
}

const maxDescription = 500

/** Logs an event for the dashboard and the client's page, in the caller's transaction. */
export async function logActivity(
  ctx: WriteCtx,
  { type, title, description = null, clientId = null }: NewActivity,
): Promise<void> {
  // Not an entity: each flush checks all entities, which is slow in a transaction that logs many.
  await ctx.defer({
    name: 'crm.log-activity',
    text: `insert into activity (coach_id, client_id, type, title, description, created_at)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [
      ctx.coachId,
      clientId,
      type,
      title,
      description && [...description].slice(0, maxDescription).join(''),
      ctx.now(),
    ],
  })
}
