import { authorize, type Ctx } from '#tenants/context.ts'
import type { Place } from '#tenants/api/cursor.ts'
import { pipelineActivityRecordSql, type PipelineActivityRecord } from '../output.ts'

/** What happened with a prospect, newest first. `rows` null: all of it. */
export async function activitiesOf(
  ctx: Ctx,
  prospectId: number,
  { rows = null, after = null }: { rows?: number | null; after?: Place | null } = {},
): Promise<PipelineActivityRecord[]> {
  authorize(ctx, 'pipeline:prospect:read')
  return ctx.rows<PipelineActivityRecord>({
    name: 'pipeline.activities',
    text: `select ${pipelineActivityRecordSql} from pipeline_activity
      where prospect_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::bigint)) order by pipeline_activity.created_at desc, pipeline_activity.id desc limit $4`,
    values: [prospectId, after?.at ?? null, after?.id ?? null, rows],
  })
}
