import type { WriteCtx } from '#tenants/context.ts'
import { onBoardSql } from '../records.ts'
import { logProspectActivity } from './activities.ts'

// Deleting a stage displaces its prospects to another one. They remember the deleted stages in order, and return when
// one of them is restored.

/** The distance between the positions of neighbors in a stage, so that a move writes one row. */
export const positionGap = 65_536

type Stage = { id: number; name: string }

/** Records that the deletion of `stageId` displaced these prospects. */
export async function markDisplaced(ctx: WriteCtx, prospectIds: number[], stageId: number): Promise<void> {
  await ctx.query({
    name: 'pipeline.mark-displaced',
    text: `update prospect set displaced_by = displaced_by || $3::bigint
      where coach_id = $1 and id = any($2::bigint[])`,
    values: [ctx.coachId, prospectIds, stageId],
  })
}

/** Moves the prospects of a stage that is being deleted to the end of another one, in the same order. */
export async function moveProspects(ctx: WriteCtx, from: Stage, to: Stage, prospectIds: number[]): Promise<void> {
  await ctx.query({
    name: 'pipeline.move-prospects',
    text: `with
        sorted as (
          select id, row_number() over (order by position, id) as rank from prospect
          where coach_id = $1 and id = any($5::bigint[])),
        target as (select coalesce(max(position), 0) as last from prospect
          where coach_id = $1 and stage_id = $3 and ${onBoardSql})
      update prospect set stage_id = $3, displaced_by = displaced_by || $2::bigint,
        updated_at = $4, position = sorted.rank * ${positionGap} + target.last
      from sorted, target where prospect.coach_id = $1 and prospect.id = sorted.id`,
    values: [ctx.coachId, from.id, to.id, ctx.now(), prospectIds],
  })
  await logProspectActivity(ctx, prospectIds, {
    type: 'moved',
    description: `Moved from ${from.name}, which was deleted, to ${to.name}`,
    metadata: { from: from.id, to: to.id },
  })
}

/** Moves prospects that the deletion of this stage displaced back to it. Trashed prospects return too. */
export async function restoreDisplacedProspects(ctx: WriteCtx, stage: Stage): Promise<void> {
  const restored = await ctx.query<{ id: number }>({
    name: 'pipeline.restore-displaced',
    // Forget this stage and those deleted after it; earlier ones may still be restored.
    text: `update prospect set stage_id = $2,
        displaced_by = displaced_by[:array_position(displaced_by, $2) - 1], updated_at = $3
      where coach_id = $1 and $2 = any(displaced_by) and converted_at is null returning id`,
    values: [ctx.coachId, stage.id, ctx.now()],
  })
  await logProspectActivity(
    ctx,
    restored.map(({ id }) => id),
    { type: 'moved', description: `Moved back to ${stage.name}, which was restored`, metadata: { to: stage.id } },
  )
}
