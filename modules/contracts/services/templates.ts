import { publish } from '#modules/core/events.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { templateCreated, templateDeleted, templateRestored, templateUpdated } from '../events.ts'
import type { NewTemplate, TemplateEdit } from '../forms.ts'
import { getTemplate } from '../queries/templates.ts'
import { template, type TemplateRecord } from '../records.ts'
import { ContractTemplate } from '../schema.ts'

const permission = 'contracts:template:write'

/** Throws plan_limit. */
export async function createTemplate(ctx: WriteCtx, { name, body }: NewTemplate): Promise<TemplateRecord> {
  authorize(ctx, permission)
  await assertStorage(ctx)
  const now = ctx.now()
  const row = ctx.em.create(ContractTemplate, {
    coachId: ctx.coachId,
    name,
    body,
    version: 1,
    createdAt: now,
    updatedAt: now,
  })
  await ctx.em.flush()
  await publish(ctx, templateCreated, { contractTemplateId: row.id })
  return getTemplate(ctx, row.id)
}

/**
 * Changes only the fields that are sent. Contracts that were made from it stay as they are. Throws not_found, plan_limit,
 * and conflict if it was saved after `expectedVersion`.
 */
export async function updateTemplate(
  ctx: WriteCtx,
  id: number,
  input: TemplateEdit,
  expectedVersion?: number,
): Promise<TemplateRecord> {
  authorize(ctx, permission)
  await assertStorage(ctx)
  const row = await lockRow(ctx, template, ContractTemplate, { coachId: ctx.coachId, id, deletedAt: null })
  template.assertVersion(row, expectedVersion)
  if (Object.keys(input).length) {
    ctx.em.assign(row, { ...input, version: row.version + 1, updatedAt: ctx.now() })
    await ctx.em.flush()
    await publish(ctx, templateUpdated, { contractTemplateId: id })
  }
  return getTemplate(ctx, id)
}

/** Moves a template to the trash: bookings require it no more. Throws not_found, also the second time. */
export async function deleteTemplate(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, permission)
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(ContractTemplate, current, { deletedAt: ctx.now() }))) throw template.notFound()
  await publish(ctx, templateDeleted, { contractTemplateId: id })
}

/** Takes a template out of the trash. Does nothing if it isn't there. Throws not_found. */
export async function restoreTemplate(ctx: WriteCtx, id: number): Promise<TemplateRecord> {
  authorize(ctx, permission)
  const trashed = { coachId: ctx.coachId, id, deletedAt: { $ne: null } }
  if (await ctx.em.nativeUpdate(ContractTemplate, trashed, { deletedAt: null }))
    await publish(ctx, templateRestored, { contractTemplateId: id })
  return getTemplate(ctx, id)
}
