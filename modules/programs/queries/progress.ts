import type { Ctx } from '#tenants/context.ts'
import { getProgress } from '../progress.ts'
import type { ProgressRecord } from '../records.ts'
import { listItems, toCounted, toItemRecord } from './items.ts'
import { getProgramRow } from './programs.ts'

/** The progress of a program as the API returns it. Throws not_found. */
export async function loadProgress(ctx: Ctx, id: number): Promise<ProgressRecord> {
  const { progress: entries } = await getProgramRow(ctx, id)
  const { milestones, items } = await listItems(ctx, [id])
  const byMilestone = Map.groupBy(items, ({ milestoneId }) => milestoneId)
  return {
    ...getProgress(toCounted(items), entries, ctx.now().toISOString()),
    milestones: milestones.map(({ programId: _program, ...milestone }) => ({
      ...milestone,
      items: (byMilestone.get(milestone.id) ?? []).map(toItemRecord),
    })),
  }
}
