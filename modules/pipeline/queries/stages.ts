import type { Query } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { stage, type StageRecord } from '../records.ts'

export const stagesQuery = ({ coachId }: Ctx): Query => ({
  name: 'pipeline.stages',
  text: `select ${stage.select} from pipeline_stage where coach_id = $1 and deleted_at is null
    order by pipeline_stage.position, id`,
  values: [coachId],
})

/** The stages, by position. */
export async function listStages(ctx: Ctx): Promise<StageRecord[]> {
  authorize(ctx, 'pipeline:stage:read')
  return ctx.query<StageRecord>(stagesQuery(ctx))
}

/** Like `getStage`, with the version for the edit form. */
export async function getStageForEdit(ctx: Ctx, id: number): Promise<StageRecord & { version: number }> {
  authorize(ctx, 'pipeline:stage:read')
  const [row] = await ctx.query<StageRecord & { version: number }>({
    name: 'pipeline.stage-for-edit',
    text: `select ${stage.select}, version from pipeline_stage where coach_id = $1 and id = $2 and deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!row) throw stage.notFound()
  return row
}

/** One stage that is not in the trash. Throws not_found. */
export async function getStage(ctx: Ctx, id: number): Promise<StageRecord> {
  authorize(ctx, 'pipeline:stage:read')
  const [row] = await ctx.query<StageRecord>({
    name: 'pipeline.stage',
    text: `select ${stage.select} from pipeline_stage where coach_id = $1 and id = $2 and deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!row) throw stage.notFound()
  return row
}
