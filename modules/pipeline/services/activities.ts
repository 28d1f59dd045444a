import { insertRows } from '#db/insert-rows.ts'
import type { WriteCtx } from '#tenants/context.ts'
import type { ActivityMetadata, ActivityType } from '../schema.ts'

type NewActivity = { type: ActivityType; description: string; metadata?: ActivityMetadata }

/** Adds an entry to the activity of each prospect, in the transaction of the change. */
export async function logProspectActivity(
  ctx: WriteCtx,
  prospectIds: number[],
  { type, description, metadata = {} }: NewActivity,
): Promise<void> {
  if (!prospectIds.length) return
  const activities = prospectIds.map((prospectId) => ({
    coach_id: ctx.coachId,
    prospect_id: prospectId,
    type,
    description,
    metadata: JSON.stringify(metadata),
    created_at: ctx.now(),
  }))
  await ctx.query(insertRows('pipeline_activity', activities))
}
