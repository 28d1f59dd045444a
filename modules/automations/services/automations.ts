import { randomBytes } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { limits, settingName, type StoredAction, type StoredFilters } from '../fields.ts'
import { getAutomation, hasAutomations, listAutomations } from '../queries/automations.ts'
import { automation, type AutomationRecord } from '../records.ts'
import { Automation, type AutomationRow } from '../schema.ts'
import { describeAutomation, findAction, findTrigger, lacksPart, triggerMissing } from './catalog.ts'
import { parseSettings } from './settings.ts'

const planMessage = 'Automations are part of the Pro and Premium plans.'

/** Adds one that is switched off and does nothing yet. Throws plan_required, conflict beyond the limit. */
export async function createAutomation(
  ctx: WriteCtx,
  { name, trigger: triggerName }: { name: string; trigger: string },
): Promise<AutomationRecord> {
  authorize(ctx, 'automations:automation:write')
  assertPlan(ctx)
  await assertStorage(ctx)
  const trigger = requireTrigger(ctx, triggerName)
  await assertRoom(ctx)
  const now = ctx.now()
  const id = await insertRow(ctx, {
    table: 'automation',
    name: 'automations.insert',
    row: {
      name,
      trigger: trigger.name,
      days: trigger.days?.initial ?? null,
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
  if (!trigger || !ctx.can(trigger.permission))
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
  { name, trigger: triggerName, days }: When,
  expectedVersion?: number,
): Promise<AutomationRecord> {
  return change(ctx, id, expectedVersion, async (row) => {
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
  })
}

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
    const filters: StoredFilters = {}
    for (const { name, options } of trigger.filters) {
      const value = chosen[name]
      if (!value) continue
      if (!(await options(ctx)).some((option) => option.value === value))
        throw new AppError('validation_failed', 'This is no longer there. Choose again', { field: settingName(name) })
      filters[name] = value
    }
    return { filters }
  })
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
    const action = findAction(ctx, actions.find((own) => own.id === id)?.action ?? name)
    const isFitting = action?.people.some((kind) => trigger.people.includes(kind)) && ctx.can(action.permission)
    if (!action || !isFitting) throw new AppError('validation_failed', 'This action is not possible here.')
    if (id !== null && !actions.some((own) => own.id === id)) throw actionNotFound()
    if (id === null && actions.length >= limits.actions)
      throw new AppError('validation_failed', `An automation has at most ${limits.actions} actions.`)
    const stored: StoredAction = {
      id: id ?? randomBytes(6).toString('hex'),
      action: action.name,
      settings: await parseSettings(ctx, action, trigger, settings),
    }
    return { actions: id === null ? [...actions, stored] : actions.map((own) => (own.id === id ? stored : own)) }
  })
}

const actionNotFound = () => new AppError('not_found', 'Action not found', { subject: 'action' })

/** Throws not_found. The last action of one that is switched on can't go. */
export async function deleteAction(ctx: WriteCtx, id: number, actionId: string): Promise<AutomationRecord> {
  return change(ctx, id, undefined, async ({ actions, enabledAt }) => {
    if (!actions.some((own) => own.id === actionId)) throw actionNotFound()
    if (enabledAt && actions.length === 1)
      throw new AppError('conflict', 'Switch the automation off before you remove its only action.')
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
  if (isOn) assertPlan(ctx)
  return change(ctx, id, undefined, async (row) => {
    if (!isOn) return { enabledAt: null }
    if (!row.actions.length) throw new AppError('validation_failed', 'Add an action first.')
    if (lacksPart(ctx, await getAutomation(ctx, id)))
      throw new AppError('conflict', 'A part of this automation is not available. Change or remove that part first.')
    return { enabledAt: row.enabledAt ?? ctx.now() }
  })
}

type Change = Partial<Pick<AutomationRow, 'name' | 'trigger' | 'days' | 'filters' | 'actions' | 'enabledAt'>>

async function change(
  ctx: WriteCtx,
  id: number,
  expectedVersion: number | undefined,
  toChange: (row: AutomationRow) => Promise<Change>,
): Promise<AutomationRecord> {
  authorize(ctx, 'automations:automation:write')
  await assertStorage(ctx)
  const row = await lockRow(ctx, automation, Automation, { coachId: ctx.coachId, id, deletedAt: null })
  automation.assertVersion(row, expectedVersion)
  ctx.em.assign(row, { ...(await toChange(row)), version: row.version + 1, updatedAt: ctx.now() })
  const { conditions, actions } = await describeAutomation(ctx, { ...row, days: row.days ?? null })
  row.onlyIf = toLines(conditions)
  row.steps = toLines(actions)
  await ctx.em.flush()
  return getAutomation(ctx, id)
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
