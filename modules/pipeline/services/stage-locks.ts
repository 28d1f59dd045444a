import type { WriteCtx } from '#tenants/context.ts'
import type { StageRef } from '../forms.ts'
import { stage as stageRecord } from '../records.ts'
import type { StageAlias } from '../stages.ts'

export type LockedStage = {
  id: number
  name: string
  color: string
  position: number
  alias: StageAlias | null
  version: number
}
const lockedColumns = 'id, name, color, position, alias, version'

/** Locks all stages, for changes to their set or order. */
export async function lockStages(ctx: WriteCtx): Promise<LockedStage[]> {
  // Also lock the account, because there may be no stages to lock.
  await ctx.query({
    name: 'pipeline.lock-account',
    text: `select pg_advisory_xact_lock(hashtext('pipeline'), $1::int)`,
    values: [ctx.coachId % 2_147_483_647],
  })
  return ctx.query<LockedStage>({
    name: 'pipeline.lock-stages',
    text: `select ${lockedColumns} from pipeline_stage where coach_id = $1 and deleted_at is null order by id for no key update`,
    values: [ctx.coachId],
  })
}

/** Locks the stage that a prospect moves to, so that it isn't deleted at the same time. Throws not_found. */
export async function lockStage(ctx: WriteCtx, ref: StageRef): Promise<LockedStage> {
  const { id, alias } = parseStageRef(ref)
  const [stage] = await ctx.query<LockedStage>({
    name: 'pipeline.lock-stage',
    text: `select ${lockedColumns} from pipeline_stage
      where coach_id = $1 and deleted_at is null and (id = $2 or alias = $3) for no key update`,
    values: [ctx.coachId, id, alias],
  })
  if (!stage) throw stageRecord.notFound()
  return stage
}

/** Throws not_found. */
export async function lockDeletedStage(ctx: WriteCtx, id: number): Promise<LockedStage> {
  const [stage] = await ctx.query<LockedStage>({
    name: 'pipeline.lock-deleted-stage',
    text: `select ${lockedColumns} from pipeline_stage where coach_id = $1 and id = $2 and deleted_at is not null for no key update`,
    values: [ctx.coachId, id],
  })
  if (!stage) throw stageRecord.notFound()
  return stage
}

/** Throws not_found. */
export function findStage(stages: LockedStage[], ref: StageRef): LockedStage {
  const { id, alias } = parseStageRef(ref)
  const stage = stages.find((candidate) => candidate.id === id || (alias !== null && candidate.alias === alias))
  if (!stage) throw stageRecord.notFound()
  return stage
}

/** An invalid id becomes 0, which no stage has. */
function parseStageRef(ref: StageRef): { id: number; alias: string | null } {
  if (typeof ref === 'string' && !/^[1-9]\d{0,15}$/.test(ref)) return { id: 0, alias: ref }
  const id = Number(ref)
  return { id: Number.isSafeInteger(id) && id > 0 ? id : 0, alias: null }
}
