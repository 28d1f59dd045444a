import type { Query } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { stageNotFound, stageRecordSql, type StageRecord } from '../output.ts'

export const stagesQuery: Query = {
  name: 'pipeline.stages',
  text: `select ${stageRecordSql} from pipeline_stage where deleted_at is null order by pipeline_stage.position, id`,
}

/** The stages in their order. */
export async function stagesInOrder(ctx: Ctx): Promise<StageRecord[]> {
  authorize(ctx, 'pipeline:stage:read')
  return ctx.rows<StageRecord>(stagesQuery)
}

/** As `stageOf`, with the version that the edit form sends back. */
export async function stageOnScreen(ctx: Ctx, id: number): Promise<StageRecord & { version: number }> {
  authorize(ctx, 'pipeline:stage:read')
  const [stage] = await ctx.rows<StageRecord & { version: number }>({
    name: 'pipeline.stage-on-screen',
    text: `select ${stageRecordSql}, version from pipeline_stage where id = $1 and deleted_at is null`,
    values: [id],
  })
  if (!stage) throw stageNotFound()
  return stage
}

/** One stage that is not in the trash. Throws not_found. */
export async function stageOf(ctx: Ctx, id: number): Promise<StageRecord> {
  authorize(ctx, 'pipeline:stage:read')
  const [stage] = await ctx.rows<StageRecord>({
    name: 'pipeline.stage',
    text: `select ${stageRecordSql} from pipeline_stage where id = $1 and deleted_at is null`,
    values: [id],
  })
  if (!stage) throw stageNotFound()
  return stage
}
