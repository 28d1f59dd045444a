import { AppError } from '#app/lib/errors.ts'
import type { Inquiry } from '#modules/core/manifest.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { NewProspect } from '../forms.ts'
import { onBoardSql } from '../records.ts'
import { logProspectActivity } from './activities.ts'
import { convertProspect } from './conversion.ts'
import { createProspect } from './prospects.ts'

/** The prospect with this email address, ignoring case, or a new one in the first stage. */
export async function findOrCreateProspect(ctx: WriteCtx, inquiry: Inquiry): Promise<number> {
  authorize(ctx, 'pipeline:prospect:write')
  const known = await findByEmail(ctx, inquiry.email)
  if (known) return known.id
  // Locked before looking again: two inquiries at once don't add the same person twice.
  const [stage] = await ctx.query<{ id: number }>({
    name: 'pipeline.first-stage',
    text: `select id from pipeline_stage where coach_id = $1 and deleted_at is null order by position, id limit 1
      for no key update`,
    values: [ctx.coachId],
  })
  if (!stage) throw new AppError('conflict', 'The pipeline has no stage.')
  const added = await findByEmail(ctx, inquiry.email)
  if (added) return added.id
  return (await createProspect(ctx, NewProspect.parse({ ...inquiry, stageId: stage.id }))).id
}

/** Notes in the activity of a prospect that they sent a message to the coach. */
export async function logProspectMessage(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'pipeline:prospect:write')
  await logProspectActivity(ctx, [id], { type: 'message', description: 'Sent a message with the contact form' })
}

/** The client that the prospect with this email address becomes, because they have paid; null without a prospect. */
export async function convertBuyer(ctx: WriteCtx, email: string): Promise<number | null> {
  const found = await findByEmail(ctx, email)
  return found && (await convertProspect(ctx, found.id, { hasPaid: true })).id
}

/** The prospect with this email address, in any case; null for one that is converted or in the trash. */
export async function findByEmail(ctx: Ctx, email: string): Promise<{ id: number; name: string } | null> {
  authorize(ctx, 'pipeline:prospect:read')
  const [known] = await ctx.query<{ id: number; name: string }>({
    name: 'pipeline.prospect-by-email',
    text: `select id, name from prospect where coach_id = $1 and lower(email) = lower($2) and ${onBoardSql}
      order by id limit 1`,
    values: [ctx.coachId, email],
  })
  return known ?? null
}
