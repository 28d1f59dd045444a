import type { Choice } from '#app/lib/fields.ts'
import { fillSlot } from '#modules/core/slots.ts'
import type { ProductOption } from '#modules/crm/index.ts'
import { listAppointmentTypes } from '#modules/scheduling/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { listRequirements } from './queries/templates.ts'

const maxRows = 200

/** The products that are sold; null without a module that has products. */
export async function listProductChoices(ctx: Ctx): Promise<Choice[] | null> {
  const contributions = await fillSlot(ctx, 'client.product')
  return contributions.length ? contributions.flatMap(({ data }) => data as ProductOption[]) : null
}

/** The contracts that are sent without the coach, newest first. `products`: those that have a name. */
export async function loadRequirements(ctx: Ctx, products: Choice[]) {
  const requirements = await listRequirements(ctx, { rows: maxRows })
  if (!requirements.length) return []
  const types = new Map((await listAppointmentTypes(ctx)).map(({ id, name }) => [id, name]))
  return requirements.map(({ id, contractTemplateId, templateName, appointmentTypeId, productId }) => ({
    id,
    contractTemplateId,
    templateName,
    typeId: appointmentTypeId,
    condition:
      appointmentTypeId === null
        ? `With ${products.find(({ value }) => value === String(productId))?.label ?? 'a product that isn’t sold now'}`
        : `With each new session of ${types.get(appointmentTypeId) ?? 'a deleted type'}`,
  }))
}
export type RequirementView = Awaited<ReturnType<typeof loadRequirements>>[number]
