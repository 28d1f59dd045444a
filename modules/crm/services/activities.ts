import type { WriteCtx } from '#tenants/context.ts'

export type NewActivity = {
  /** Lower-case words with underscores, such as `session_completed`. */
  type: string
  title: string
  description?: string | null
  clientId?: number | null
}

const longest = 500

/** Notes what happened, for the dashboard and the client's page, in the transaction of what happened. */
export async function logActivity(
  ctx: WriteCtx,
  { type, title, description = null, clientId = null }: NewActivity,
): Promise<void> {
  // A statement and no entity: a transaction that notes many would look through all of them at each flush.
  await ctx.rows({
    name: 'crm.log-activity',
    text: 'insert into activity (coach_id, client_id, type, title, description, created_at) values ($1, $2, $3, $4, $5, $6)',
    values: [ctx.coachId, clientId, type, title, description && [...description].slice(0, longest).join(''), ctx.now()],
  })
}
