import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#app/lib/errors.ts'
import type { AutomationTrigger } from '#modules/core/automations.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, limitToScopes, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { actionImpossible, limits, settingName, type StoredAction, type StoredFilters } from '../fields.ts'
import { getAutomation, hasAutomations, listAutomations } from '../queries/automations.ts'
import { automation, type AutomationRecord } from '../records.ts'
import { Automation, type AutomationRow } from '../schema.ts'
import { describeAutomation, findAction, findTrigger, lacksPart, triggerMissing } from './catalog.ts'
import { parseSettings } from './settings.ts'

const planMessage = 'Automations are part of the Pro and Premium plans.'

/**
 * Adds one that is switched off. Throws plan_required, conflict beyond the limit, and what `editAutomation` throws.
 */
export async function createAutomation(
  ctx: WriteCtx,
  { name, trigger: triggerName, ...parts }: Edit & { name: string; trigger: string },
): Promise<AutomationRecord> {
  authorize(ctx, 'automations:automation:write')
  assertPlan(ctx)
  await assertStorage(ctx)
  const { name: trigger, days } = requireTrigger(ctx, triggerName)
  await assertRoom(ctx)
  const empty = { name, trigger, days: days?.initial ?? null, filters: {}, actions: [], enabledAt: null }
  const row = { ...empty, ...(await applyEdit(ctx, empty, parts)) }
  const now = ctx.now()
  const id = await insertRow(ctx, {
    table: 'automation',
    name: 'automations.insert',
    row: {
      ...row,
      ...(await toTexts(ctx, row)),
      filters: JSON.stringify(row.filters),
      actions: JSON.stringify(row.actions),
      createdAt: now,
      updatedAt: now,
    },
  })
  return getAutomation(ctx, id)
}

function assertPlan(ctx: WriteCtx): void {
  if (!hasAutomations(ctx)) throw new AppError('plan_required', planMessage)
}

function requireTrigger(ctx: WriteCtx, name: string) {
  const trigger = findTrigger(ctx, name)
  if (!trigger || !limitToScopes(ctx).can(trigger.permission))
    throw new AppError('validation_failed', 'Choose when it begins', { field: 'trigger' })
  return trigger
}

/** Two forms at the same time must not get past the limit. */
async function assertRoom(ctx: WriteCtx): Promise<void> {
  await ctx.query({
    name: 'automations.lock-account',
    text: 'select id from account where id = $1 for no key update',
    values: [ctx.coachId],
  })
  if ((await listAutomations(ctx)).length >= limits.automations)
    throw new AppError('conflict', `You have ${limits.automations} automations, as many as possible. Delete one first.`)
}

type When = { name?: string; trigger?: string; days?: number | null }

/**
 * Changes its name and when it begins, which holds for what happens from now on. Conditions that the new trigger doesn't
 * have go. Throws not_found, validation_failed, and conflict if it was saved after `expectedVersion`.
 */
export async function updateAutomation(
  ctx: WriteCtx,
  id: number,
  when: When,
  expectedVersion?: number,
): Promise<AutomationRecord> {
  return change(ctx, id, expectedVersion, async (row) => changeWhen(ctx, row, when))
}

function changeWhen(ctx: WriteCtx, row: Parts, { name, trigger: triggerName, days }: When) {
  const isSame = triggerName === undefined || triggerName === row.trigger
  const trigger = isSame ? findTrigger(ctx, row.trigger) : requireTrigger(ctx, triggerName)
  const known = trigger?.filters.map((filter) => filter.name)
  const filters = Object.entries(row.filters).filter(([filter]) => known?.includes(filter) ?? true)
  const oldDays = row.days ?? null
  const newDays = trigger?.days ? (days ?? (isSame ? oldDays : null) ?? trigger.days.initial) : null
  return {
    name: name ?? row.name,
    trigger: trigger?.name ?? row.trigger,
    filters: Object.fromEntries(filters),
    days: newDays,
    ...(row.enabledAt && (!isSame || newDays !== oldDays) ? { enabledAt: ctx.now() } : {}),
  }
}

type Parts = Pick<AutomationRow, 'name' | 'trigger' | 'days' | 'filters' | 'actions' | 'enabledAt'>
/** `actions`: all of them, in order; one with the `id` of an action that it has keeps it. */
export type Edit = When & { filters?: StoredFilters; actions?: (Omit<ActionInput, 'id'> & { id?: string })[] }

/**
 * Changes some parts of it at once, by the same rules as one after the other. Throws not_found, validation_failed, and
 * conflict if one that is switched on would have no action.
 */
export async function editAutomation(ctx: WriteCtx, id: number, edit: Edit): Promise<AutomationRecord> {
  return change(ctx, id, undefined, (row) => applyEdit(ctx, row, edit))
}

async function applyEdit(ctx: WriteCtx, row: Parts, { filters, actions, ...when }: Edit): Promise<Partial<Parts>> {
  const changed: Partial<Parts> & Pick<Parts, 'filters'> = changeWhen(ctx, row, when)
  const trigger = findTrigger(ctx, changed.trigger ?? row.trigger)
  if (!trigger && (filters || actions)) throw new AppError('conflict', triggerMissing)
  if (trigger && filters && !isDeepStrictEqual(filters, changed.filters))
    changed.filters = await toFilters(ctx, trigger, filters, toFilterPath)
  if (trigger && actions) changed.actions = await toStoredActions(ctx, trigger, row, actions)
  return changed
}

async function toStoredActions(
  ctx: WriteCtx,
  trigger: AutomationTrigger,
  row: Parts,
  inputs: NonNullable<Edit['actions']>,
): Promise<StoredAction[]> {
  if (row.enabledAt && !inputs.length) throw onlyAction()
  const ids = inputs.flatMap(({ id }) => id ?? [])
  if (new Set(ids).size < ids.length)
    throw new AppError('validation_failed', 'Name each action once', { field: 'actions' })
  const stored: StoredAction[] = []
  for (const [index, { id = null, ...input }] of inputs.entries()) {
    const former = row.actions.find((own) => own.id === id)
    if (id !== null && former?.action !== input.action) throw actionNotFound()
    const isKept = former && isDeepStrictEqual(former.settings, input.settings)
    stored.push(isKept ? former : await toStoredAction(ctx, trigger, { id, ...input }, toActionPaths(index)))
  }
  return stored
}

const toFilterPath = (name: string): string => `filters.${name}`
const toActionPaths = (index: number): ActionPaths => ({
  action: `actions.${index}.action`,
  setting: (name) => `actions.${index}.settings.${name}`,
})

/** Chooses its conditions; one without a value is none. Throws not_found, validation_failed, conflict. */
export async function saveFilters(
  ctx: WriteCtx,
  id: number,
  chosen: StoredFilters,
  expectedVersion?: number,
): Promise<AutomationRecord> {
  return change(ctx, id, expectedVersion, async (row) => {
    const trigger = findTrigger(ctx, row.trigger)
    if (!trigger) throw new AppError('conflict', triggerMissing)
    const known = trigger.filters.map(({ name }) => name)
    const ofTrigger = Object.entries(chosen).filter(([name]) => known.includes(name))
    return { filters: await toFilters(ctx, trigger, Object.fromEntries(ofTrigger), settingName) }
  })
}

/** `toPath`: names the input of a filter in errors. Throws validation_failed. */
async function toFilters(
  ctx: WriteCtx,
  trigger: AutomationTrigger,
  chosen: StoredFilters,
  toPath: (name: string) => string,
): Promise<StoredFilters> {
  const filters: StoredFilters = {}
  for (const [name, value] of Object.entries(chosen)) {
    if (!value) continue
    const filter = trigger.filters.find((own) => own.name === name)
    if (!filter) throw new AppError('validation_failed', 'There is no such condition here', { field: toPath(name) })
    if (!(await filter.options(limitToScopes(ctx))).some((option) => option.value === value))
      throw new AppError('validation_failed', 'This is no longer there. Choose again', { field: toPath(name) })
    filters[name] = value
  }
  return filters
}

/** `id`: of an action that it has; null adds one. `settings`: as the form has them. */
export type ActionInput = { id: string | null; action: string; settings: Record<string, string> }

/** Adds an action at the end, or changes one. Throws not_found, validation_failed, conflict. */
export async function saveAction(
  ctx: WriteCtx,
  automationId: number,
  { id, action: name, settings }: ActionInput,
  expectedVersion?: number,
): Promise<AutomationRecord> {
  return change(ctx, automationId, expectedVersion, async ({ trigger: triggerName, actions }) => {
    const trigger = findTrigger(ctx, triggerName)
    if (!trigger) throw new AppError('conflict', triggerMissing)
    const kind = actions.find((own) => own.id === id)?.action ?? name
    if (id !== null && !actions.some((own) => own.id === id)) throw actionNotFound()
    if (id === null && actions.length >= limits.actions)
      throw new AppError('validation_failed', `An automation has at most ${limits.actions} actions.`)
    const stored = await toStoredAction(ctx, trigger, { id, action: kind, settings }, { setting: settingName })
    return { actions: id === null ? [...actions, stored] : actions.map((own) => (own.id === id ? stored : own)) }
  })
}

/** The inputs that errors name. */
type ActionPaths = { action?: string; setting: (name: string) => string }

/** Throws validation_failed. */
async function toStoredAction(
  ctx: WriteCtx,
  trigger: AutomationTrigger,
  { id, action: name, settings }: ActionInput,
  { action: field, setting }: ActionPaths,
): Promise<StoredAction> {
  const action = findAction(ctx, name)
  const limited = limitToScopes(ctx)
  const isFitting = action?.people.some((kind) => trigger.people.includes(kind)) && limited.can(action.permission)
  if (!action || !isFitting) throw new AppError('validation_failed', actionImpossible, field ? { field } : {})
  return {
    id: id ?? randomBytes(6).toString('hex'),
    action: action.name,
    settings: await parseSettings(limited, action, trigger, settings, setting),
  }
}

const onlyAction = () => new AppError('conflict', 'Switch the automation off before you remove its only action.')
const actionNotFound = () => new AppError('not_found', 'Action not found', { subject: 'action' })

/** Throws not_found. The last action of one that is switched on can't go. */
export async function deleteAction(ctx: WriteCtx, id: number, actionId: string): Promise<AutomationRecord> {
  return change(ctx, id, undefined, async ({ actions, enabledAt }) => {
    if (!actions.some((own) => own.id === actionId)) throw actionNotFound()
    if (enabledAt && actions.length === 1) throw onlyAction()
    return { actions: actions.filter((own) => own.id !== actionId) }
  })
}

/** Moves an action one up. Throws not_found. */
export async function moveActionUp(ctx: WriteCtx, id: number, actionId: string): Promise<AutomationRecord> {
  return change(ctx, id, undefined, async ({ actions }) => {
    const index = actions.findIndex((own) => own.id === actionId)
    if (index < 0) throw actionNotFound()
    return { actions: actions.toSpliced(index, 1).toSpliced(Math.max(0, index - 1), 0, actions[index]!) }
  })
}

/**
 * Switches it on, for what happens from now on, or off. Throws not_found, plan_required, validation_failed without
 * actions, and conflict while a part of it is not available.
 */
export async function switchAutomation(ctx: WriteCtx, id: number, isOn: boolean): Promise<AutomationRecord> {
  return change(ctx, id, undefined, async (row) => {
    if (!isOn) return { enabledAt: null }
    assertPlan(ctx)
    if (!row.actions.length) throw new AppError('validation_failed', 'Add an action first.')
    if (lacksPart(ctx, await getAutomation(ctx, id)))
      throw new AppError('conflict', 'A part of this automation is not available. Change or remove that part first.')
    return { enabledAt: row.enabledAt ?? ctx.now() }
  })
}

async function change(
  ctx: WriteCtx,
  id: number,
  expectedVersion: number | undefined,
  toChange: (row: AutomationRow) => Promise<Partial<Parts>>,
): Promise<AutomationRecord> {
  authorize(ctx, 'automations:automation:write')
  await assertStorage(ctx)
  const row = await lockRow(ctx, automation, Automation, { coachId: ctx.coachId, id, deletedAt: null })
  automation.assertVersion(row, expectedVersion)
  const changed = omitUnchanged(row, await toChange(row))
  if (!Object.keys(changed).length) return getAutomation(ctx, id)
  ctx.em.assign(row, { ...changed, version: row.version + 1, updatedAt: ctx.now() })
  if (changed.filters || changed.actions) ctx.em.assign(row, await toTexts(ctx, { ...row, days: row.days ?? null }))
  await ctx.em.flush()
  if (changed.days !== undefined) await beginAnew(ctx, id)
  return getAutomation(ctx, id)
}

/** After other days the same silence counts again: its former run must not be taken for the new one. */
async function beginAnew(ctx: WriteCtx, id: number): Promise<void> {
  await ctx.query({
    name: 'automations.rename-former-keys',
    text: `update automation_run set event_key = left(event_key, 450) || ' #' || id
      where coach_id = $1 and automation_id = $2`,
    values: [ctx.coachId, id],
  })
}

const omitUnchanged = (row: AutomationRow, changed: Partial<Parts>): Partial<Parts> =>
  Object.fromEntries(
    Object.entries(changed).filter(([name, value]) => !isDeepStrictEqual(value, row[name as keyof Parts] ?? null)),
  )

/** The filters and actions for the history. */
async function toTexts(ctx: WriteCtx, row: Parameters<typeof describeAutomation>[1]) {
  const { conditions, actions } = await describeAutomation(ctx, row)
  return { onlyIf: toLines(conditions), steps: toLines(actions) }
}

const toLines = (parts: { text: string }[]): string =>
  parts
    .map(({ text }) => text)
    .join('\n')
    .slice(0, 20_000)

/** Moves it to the trash; what waits is not done. Throws not_found, also the second time. */
export async function deleteAutomation(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'automations:automation:write')
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(Automation, current, { deletedAt: ctx.now() }))) throw automation.notFound()
}

/**
 * Takes it out of the trash, for what happens from now on. Does nothing if it isn't there. Throws not_found, and
 * conflict beyond the limit.
 */
export async function restoreAutomation(ctx: WriteCtx, id: number): Promise<AutomationRecord> {
  authorize(ctx, 'automations:automation:write')
  const row = await ctx.em.findOne(Automation, { coachId: ctx.coachId, id, deletedAt: { $ne: null } })
  if (row) {
    await assertRoom(ctx)
    ctx.em.assign(row, { deletedAt: null, enabledAt: row.enabledAt && ctx.now() })
    await ctx.em.flush()
  }
  return getAutomation(ctx, id)
}
