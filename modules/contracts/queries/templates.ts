import { isoTimestamp } from '#db/read-pool.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { template, type RequirementRecord, type TemplateRecord } from '../records.ts'

const permission = 'contracts:template:read'

/** Newest first. */
export async function listTemplates(ctx: Ctx, page: Page = {}): Promise<TemplateRecord[]> {
  authorize(ctx, permission)
  return listNewest(ctx, {
    name: 'contracts.templates',
    select: template.select,
    from: 'contract_template t',
    where: { isCurrent: 't.deleted_at is null' },
    time: 't.created_at',
    id: 't.id',
    ...page,
  })
}

/** Throws not_found, also for one in the trash. */
export async function getTemplate(ctx: Ctx, id: number): Promise<TemplateRecord> {
  const { version: _version, ...record } = await getTemplateForEdit(ctx, id)
  return record
}

/** The template with its version. Throws not_found. */
export async function getTemplateForEdit(ctx: Ctx, id: number): Promise<TemplateRecord & { version: number }> {
  authorize(ctx, permission)
  const [row] = await ctx.query<TemplateRecord & { version: number }>({
    name: 'contracts.template',
    text: `select ${template.select}, t.version from contract_template t
      where t.coach_id = $1 and t.id = $2 and t.deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!row) throw template.notFound()
  return row
}

const maxOptions = 200

/** The names of the templates, in order. */
export async function listTemplateOptions(ctx: Ctx): Promise<{ id: number; name: string }[]> {
  authorize(ctx, permission)
  return ctx.query({
    name: 'contracts.template-options',
    text: `select id, name from contract_template where coach_id = $1 and deleted_at is null
      order by search_text, id limit ${maxOptions}`,
    values: [ctx.coachId],
  })
}

/** Which appointment types and products require which contracts, newest first. */
export async function listRequirements(
  ctx: Ctx,
  { typeId, productId, ...page }: Page & { typeId?: number; productId?: number } = {},
): Promise<RequirementRecord[]> {
  authorize(ctx, permission)
  return listNewest(ctx, {
    name: 'contracts.requirements',
    select: `r.id, r.coach_id as "coachId", r.appointment_type_id as "appointmentTypeId",
      r.product_id as "productId", r.template_id as "contractTemplateId", t.name as "templateName",
      ${isoTimestamp('r.created_at')} as "createdAt"`,
    from: 'contract_requirement r join contract_template t on t.coach_id = $1 and t.id = r.template_id',
    where: {
      isCurrent: 't.deleted_at is null',
      type: typeId !== undefined && ['r.appointment_type_id = ?', typeId],
      product: productId !== undefined && ['r.product_id = ?', productId],
    },
    time: 'r.created_at',
    id: 'r.id',
    ...page,
  })
}
