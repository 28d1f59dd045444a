import type { ActionField, AutomationTrigger } from '#modules/core/automations.ts'
import { authorize, ifAllowed, type Ctx } from '#tenants/context.ts'
import type { Parts } from '../records.ts'
import { listActionsFor } from '../services/catalog.ts'
import { listPlaceholders } from '../services/settings.ts'

/**
 * The triggers and actions that the caller may use, with what can be chosen. Choices that an API key may not see are
 * null.
 */
export async function listParts(ctx: Ctx): Promise<Parts> {
  authorize(ctx, 'automations:automation:read')
  const { automationTriggers, automationActions } = ctx.extensions
  const actions = automationActions.filter(({ permission }) => ctx.can(permission))
  return {
    triggers: await Promise.all(
      automationTriggers
        .filter(({ permission }) => ctx.can(permission))
        .map(async (trigger) => ({
          name: trigger.name,
          label: trigger.label,
          days: trigger.days ?? null,
          filters: await listFilters(ctx, trigger),
          placeholders: Object.keys(listPlaceholders(trigger)),
          actions: listActionsFor(ctx, trigger)
            .filter((action) => actions.includes(action))
            .map(({ name }) => name),
        })),
    ),
    actions: await Promise.all(
      actions.map(async ({ name, label, fields }) => ({
        name,
        label,
        settings: await Promise.all(fields.map((field) => toSetting(ctx, field))),
      })),
    ),
  }
}

const listFilters = (ctx: Ctx, { filters }: AutomationTrigger) =>
  Promise.all(
    filters.map(async ({ name, label, options }) => ({ name, label, choices: await ifAllowed(ctx, options) })),
  )

async function toSetting(ctx: Ctx, { name, label, kind, required, max, takesPlaceholders, options }: ActionField) {
  return {
    name,
    label,
    kind,
    isRequired: required !== undefined,
    max: max ?? null,
    takesPlaceholders: takesPlaceholders ?? false,
    choices: options ? await ifAllowed(ctx, options) : null,
  }
}
