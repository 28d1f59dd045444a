import { authorize, type Ctx } from '#tenants/context.ts'
import type { Cursor } from '#tenants/api/cursor.ts'
import { pipelineActivityRecordSql, type PipelineActivityRecord } from '../output.ts'

/** The activity of a prospect, newest first. `rows`: at most so many, null for all. */
export async function listActivities(
  ctx: Ctx,
  prospectId: number,
  { rows = null, after = null }: { rows?: number | null; after?: Cursor | null } = {},
): Promise<PipelineActivityRecord[]> {
  authorize(ctx, 'pipeline:prospect:read')
  return ctx.query<PipelineActivityRecord>({
    name: 'pipeline.activities',
    text: `select ${pipelineActivityRecordSql} from pipeline_activity
      where prospect_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::bigint))
      order by pipeline_activity.created_at desc, pipeline_activity.id desc limit $4`,
    values: [prospectId, after?.at ?? null, after?.id ?? null, rows],
  })
}
