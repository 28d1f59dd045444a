import { authorize, type Ctx } from '#tenants/context.ts'
import { listNewest, type Filter, type Page } from '#tenants/api/list-newest.ts'
import { activitySelect, type PipelineActivityRecord } from '../records.ts'

/** The activity of a prospect, newest first. */
export async function listActivities(ctx: Ctx, prospectId: number, page: Page = {}): Promise<PipelineActivityRecord[]> {
  authorize(ctx, 'pipeline:prospect:read')
  const where = { prospect: ['prospect_id = ?', prospectId] satisfies Filter }
  const from = 'pipeline_activity'
  return listNewest(ctx, { name: 'pipeline.activities', select: activitySelect, from, where, ...page })
}
