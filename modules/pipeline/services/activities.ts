import type { WriteCtx } from '#tenants/context.ts'
import type { ActivityMetadata, ActivityType } from '../schema.ts'

type NewActivity = { type: ActivityType; description: string; metadata?: ActivityMetadata }

/** Adds an entry to the activity of each prospect, in the transaction of the change. */
export async function logProspectActivity(
  ctx: WriteCtx,
  prospectIds: number[],
  { type, description, metadata = {} }: NewActivity,
): Promise<void> {
  await ctx.query({
    name: 'pipeline.log-activity',
    text: `insert into pipeline_activity (coach_id, prospect_id, type, description, metadata, created_at)
      select $1, prospect, $3, $4, $5::jsonb, $6 from unnest($2::bigint[]) prospect`,
    values: [ctx.coachId, prospectIds, type, description, JSON.stringify(metadata), ctx.now()],
  })
}
