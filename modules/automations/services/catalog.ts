import type { ActionField, AutomationAction, AutomationFilter, AutomationTrigger } from '#modules/core/automations.ts'
import type { Ctx } from '#tenants/context.ts'
import type { StoredAction } from '../fields.ts'
import type { AutomationRecord } from '../records.ts'

type Extensions = Pick<Ctx, 'extensions'>

/** Null while the module that has it is switched off or missing. */
export const findTrigger = ({ extensions }: Extensions, name: string): AutomationTrigger | null =>
  extensions.automationTriggers.find((trigger) => trigger.name === name) ?? null
export const findAction = ({ extensions }: Extensions, name: string): AutomationAction | null =>
  extensions.automationActions.find((action) => action.name === name) ?? null

/** The actions that can be done for somebody that a trigger is about. */
export const listActionsFor = ({ extensions }: Extensions, { people }: AutomationTrigger): AutomationAction[] =>
  extensions.automationActions.filter((action) => action.people.some((kind) => people.includes(kind)))

export const triggerMissing = 'The part of the product that notices this is not available.'
export const actionMissing = 'The part of the product that does this is not available.'
const optionMissing = 'What was chosen here is no longer there. Choose again.'

/** Whether a part of it is not available. */
export const lacksPart = (ctx: Extensions, { trigger, actions }: AutomationRecord): boolean =>
  !findTrigger(ctx, trigger) || actions.some(({ action }) => !findAction(ctx, action))

/** An action as coaches read it. `problem`: why it can't be done. */
export type DescribedAction = StoredAction & { label: string; text: string; problem: string | null }
/** `when` null: not available. */
export type Described = {
  when: string | null
  conditions: { text: string; problem: string | null }[]
  actions: DescribedAction[]
}

/** An automation as coaches read it, with what is missing. */
export async function describeAutomation(
  ctx: Ctx,
  { trigger: name, days, filters, actions }: Pick<AutomationRecord, 'trigger' | 'days' | 'filters' | 'actions'>,
): Promise<Described> {
  const trigger = findTrigger(ctx, name)
  const conditions = trigger
    ? await Promise.all(Object.entries(filters).map(([key, value]) => describeFilter(ctx, trigger, key, value)))
    : []
  return {
    when: trigger && describeTrigger(trigger, days),
    conditions,
    actions: await Promise.all(actions.map((stored) => describeAction(ctx, stored))),
  }
}

export const describeTrigger = ({ label, days }: AutomationTrigger, count: number | null): string =>
  days ? label.replace('some days', count === 1 ? 'a day' : `${count ?? days.initial} days`) : label

async function describeFilter(ctx: Ctx, trigger: AutomationTrigger, name: string, value: string) {
  const filter = trigger.filters.find((own) => own.name === name)
  const label = filter && (await findLabel(ctx, filter, value))
  if (filter && label !== undefined) return { text: `${filter.label} “${label}”`, problem: null }
  return { text: filter?.label ?? name, problem: optionMissing }
}

const findLabel = async (ctx: Ctx, { options }: Pick<AutomationFilter, 'options'>, value: string) =>
  (await options(ctx)).find((option) => option.value === value)?.label

export async function describeAction(ctx: Ctx, stored: StoredAction): Promise<DescribedAction> {
  const action = findAction(ctx, stored.action)
  if (!action) return { ...stored, label: stored.action, text: 'An action', problem: actionMissing }
  const labels = await loadLabels(ctx, action, stored.settings)
  const isMissing = lacksLabel(action, stored.settings, labels)
  return {
    ...stored,
    label: action.label,
    text: isMissing ? action.label : action.describe(stored.settings, labels),
    problem: isMissing ? optionMissing : null,
  }
}

/** Whether a chosen option isn't there any more, or may not be seen: then the action can't be described with it. */
export const lacksLabel = (
  { fields }: AutomationAction,
  settings: StoredAction['settings'],
  labels: Record<string, string>,
): boolean => fields.some(({ name, options }) => options && settings[name] && !labels[name])

/** The labels of the chosen options, by field. */
export async function loadLabels(
  ctx: Ctx,
  { fields }: AutomationAction,
  settings: StoredAction['settings'],
): Promise<Record<string, string>> {
  const isChoice = (field: ActionField): field is ActionField & { options: NonNullable<ActionField['options']> } =>
    field.options !== undefined
  const labels = await Promise.all(
    fields.filter(isChoice).map(async (field) => [field.name, await findLabel(ctx, field, settings[field.name] ?? '')]),
  )
  return Object.fromEntries(labels.filter(([, label]) => label !== undefined)) as Record<string, string>
}
