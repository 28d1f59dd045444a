import type { WriteCtx } from '#tenants/context.ts'
import type { ActivityMetadata, ActivityType } from '../schema.ts'

type NewActivity = { type: ActivityType; description: string; metadata?: ActivityMetadata }

/** Notes what happened with prospects, in the transaction in which it happened. */
export async function note(
  ctx: WriteCtx,
  prospectIds: number[],
  { type, description, metadata = {} }: NewActivity,
): Promise<void> {
  await ctx.rows({
    name: 'pipeline.note',
    text: `insert into pipeline_activity (coach_id, prospect_id, type, description, metadata, created_at)
      select $1, prospect, $3, $4, $5::jsonb, $6 from unnest($2::bigint[]) prospect`,
    values: [ctx.coachId, prospectIds, type, description, JSON.stringify(metadata), ctx.now()],
  })
}
