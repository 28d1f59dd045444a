import { authorize, type Ctx } from '#tenants/context.ts'
import { pipelineActivityRecordSql, type PipelineActivityRecord } from '../record.ts'

/** What happened with a prospect, newest first. */
export async function activitiesOf(ctx: Ctx, prospectId: number): Promise<PipelineActivityRecord[]> {
  authorize(ctx, 'pipeline:prospect:read')
  return ctx.rows<PipelineActivityRecord>({
    name: 'pipeline.activities',
    text: `select ${pipelineActivityRecordSql} from pipeline_activity where prospect_id = $1 order by pipeline_activity.created_at desc, pipeline_activity.id desc`,
    values: [prospectId],
  })
}
