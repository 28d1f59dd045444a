import { AppError } from '#app/lib/errors.ts'
import type { Inquiry } from '#modules/core/manifest.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { NewProspect } from '../forms.ts'
import { onBoardSql } from '../records.ts'
import { createProspect } from './prospects.ts'

/** The prospect with this email address, ignoring case, or a new one in the first stage. */
export async function findOrCreateProspect(ctx: WriteCtx, inquiry: Inquiry): Promise<number> {
  authorize(ctx, 'pipeline:prospect:write')
  const [known] = await ctx.query<{ id: number }>({
    name: 'pipeline.prospect-by-email',
    text: `select id from prospect where coach_id = $1 and lower(email) = lower($2) and ${onBoardSql} order by id limit 1`,
    values: [ctx.coachId, inquiry.email],
  })
  if (known) return known.id
  const [stage] = await ctx.query<{ id: number }>({
    name: 'pipeline.first-stage',
    text: 'select id from pipeline_stage where coach_id = $1 and deleted_at is null order by position, id limit 1',
    values: [ctx.coachId],
  })
  if (!stage) throw new AppError('conflict', 'The pipeline has no stage.')
  return (await createProspect(ctx, NewProspect.parse({ ...inquiry, stageId: stage.id }))).id
}
