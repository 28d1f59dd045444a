import { AppError } from '#app/lib/errors.ts'
import { listSwitchedOff } from '#modules/core/extensions.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { writeAsTenant, type Ctx, type WriteCtx } from '#tenants/context.ts'
import {
  findModuleSwitches,
  listPlanModulesOff,
  setModuleSwitches,
  switchPlanModules,
} from '#tenants/module-switches/switches.ts'
import { Account } from '#tenants/schema.ts'
import { authorizeAdmin } from '../authorize-admin.ts'
import { moduleStateNames, moduleStates, planNames, planTitles, type ModuleState } from '../fields.ts'
import type { CoachModulesChange, CoachModulesForm, PlanModulesChange, PlanModulesForm } from '../forms.ts'
import { coachNotFound, type CoachModules, type PlanModules } from '../output.ts'
import { recordAction } from './audit-log.ts'

/** `needs`: the titles of the modules that it depends on. */
export type SwitchedModule = {
  id: string
  title: string
  needs: string[]
  dependsOn: readonly string[]
  isSwitchable: boolean
}

/** The modules of a practice, without that of the administrators. */
export function listModules({ platform }: Ctx): SwitchedModule[] {
  const { modules } = platform.extensions
  return modules
    .filter(({ id }) => id !== 'admin')
    .map(({ id, title, dependsOn, isSwitchable }) => ({
      id,
      title,
      isSwitchable,
      dependsOn,
      needs: modules.filter((other) => dependsOn.includes(other.id)).map((other) => other.title),
    }))
}

/** The modules that each plan is without, and those that are off with them because they depend on one. */
export async function getPlanModules(ctx: Ctx) {
  authorizeAdmin(ctx, 'admin:coach:read')
  const { modules } = ctx.platform.extensions
  const off = await listPlanModulesOff(ctx)
  return planNames.map((plan) => ({ plan, off: off[plan], allOff: listSwitchedOff(modules, off[plan]) }))
}

/** As the API has them. */
export async function listPlanModules(ctx: Ctx): Promise<PlanModules> {
  const plans = await getPlanModules(ctx)
  const perPlan = (isOn: (plan: (typeof plans)[number]) => boolean) =>
    Object.fromEntries(plans.map((each) => [each.plan, isOn(each)])) as Record<PlanName, boolean>
  return {
    modules: listModules(ctx).map((module) => ({
      ...toModuleOut(module),
      on: perPlan(({ off }) => !off.includes(module.id)),
      available: perPlan(({ allOff }) => !allOff.includes(module.id)),
    })),
  }
}

const toModuleOut = ({ id, title, dependsOn, isSwitchable }: SwitchedModule) => ({
  id,
  title,
  dependsOn: [...dependsOn],
  isSwitchable,
})

/** Switches what the administrator changed in the form, so that two of them don't undo each other's changes. */
export async function changePlanModules(ctx: WriteCtx, { on, seen }: PlanModulesForm): Promise<void> {
  authorizeAdmin(ctx, 'admin:coach:write')
  const changes = planNames.flatMap((plan) =>
    listModules(ctx)
      .filter(({ isSwitchable }) => isSwitchable)
      .map(({ id, title }) => ({
        plan,
        id,
        title,
        isOn: on.includes(`${plan}:${id}`),
        wasOn: seen.includes(`${plan}:${id}`),
      }))
      .filter(({ isOn, wasOn }) => isOn !== wasOn),
  )
  await switchPlans(ctx, changes)
}

/** Switches modules of plans by their ids. Throws validation_failed for one that can't be switched. */
export async function setPlanModules(ctx: WriteCtx, input: PlanModulesChange): Promise<PlanModules> {
  authorizeAdmin(ctx, 'admin:coach:write')
  const before = await listPlanModulesOff(ctx)
  const changes = planNames.flatMap((plan) =>
    Object.entries(input[plan] ?? {}).map(([id, isOn]) => ({
      plan,
      ...requireSwitchable(ctx, id, `${plan}.${id}`),
      isOn,
      wasOn: !before[plan].includes(id),
    })),
  )
  await switchPlans(
    ctx,
    changes.filter(({ isOn, wasOn }) => isOn !== wasOn),
  )
  return listPlanModules(ctx)
}

function requireSwitchable(ctx: Ctx, id: string, field: string): { id: string; title: string } {
  const module = listModules(ctx).find((each) => each.id === id)
  if (!module) throw new AppError('validation_failed', 'There is no such module.', { field })
  if (!module.isSwitchable)
    throw new AppError('validation_failed', `${module.title} can’t be switched on or off.`, { field })
  return { id, title: module.title }
}

type PlanChange = { plan: PlanName; id: string; title: string; isOn: boolean; wasOn: boolean }

async function switchPlans(ctx: WriteCtx, changes: PlanChange[]): Promise<void> {
  if (!changes.length) return
  for (const plan of planNames) {
    const own = changes.filter((change) => change.plan === plan)
    const ids = (isOn: boolean) => own.filter((change) => change.isOn === isOn).map(({ id }) => id)
    if (own.length) await switchPlanModules(ctx, plan, { on: ids(true), off: ids(false) })
  }
  const describe = (key: 'isOn' | 'wasOn') =>
    changes.map((change) => `${change.title} ${change[key] ? 'on' : 'off'} in ${planTitles[change.plan]}`).join(', ')
  recordAction(ctx, 'plan_modules_changed', {
    target: null,
    before: { modules: describe('wasOn') },
    after: { modules: describe('isOn') },
  })
}

/** How each module is set for a coach, and without which ones the plan is. Throws not_found. */
export async function getCoachModules(ctx: Ctx, coachId: number) {
  authorizeAdmin(ctx, 'admin:coach:read')
  const found = await findModuleSwitches(ctx.platform, coachId)
  if (!found) throw coachNotFound()
  const { plan, switches, off } = found
  const { modules } = ctx.platform.extensions
  return {
    plan,
    switches,
    allOff: listSwitchedOff(modules, off),
    planOff: (await listPlanModulesOff(ctx))[plan],
  }
}

export const toState = (isOn: boolean | undefined): ModuleState => (isOn === undefined ? 'plan' : isOn ? 'on' : 'off')

/** As the API has them. Throws not_found. */
export async function listCoachModules(ctx: Ctx, coachId: number): Promise<CoachModules> {
  return describeCoachModules(ctx, await getCoachModules(ctx, coachId))
}

function describeCoachModules(
  ctx: Ctx,
  { plan, switches, planOff }: Pick<Awaited<ReturnType<typeof getCoachModules>>, 'plan' | 'switches' | 'planOff'>,
): CoachModules {
  const modules = listModules(ctx)
  const isOn = (id: string) => switches[id] ?? !planOff.includes(id)
  const off = modules.filter(({ id }) => !isOn(id)).map(({ id }) => id)
  const allOff = listSwitchedOff(ctx.platform.extensions.modules, off)
  return {
    plan,
    modules: modules.map((module) => ({
      ...toModuleOut(module),
      state: toState(switches[module.id]),
      onInPlan: !planOff.includes(module.id),
      available: !allOff.includes(module.id),
    })),
  }
}

/** As `changePlanModules`, for one coach. Throws not_found. */
export async function changeCoachModules(
  ctx: WriteCtx,
  coachId: number,
  { state, seen }: CoachModulesForm,
): Promise<void> {
  authorizeAdmin(ctx, 'admin:coach:write')
  const modules = listModules(ctx).filter(({ isSwitchable }) => isSwitchable)
  const parse = (entries: string[], id: string): ModuleState | undefined =>
    moduleStateNames.find((name) => entries.includes(`${id}:${name}`))
  const changes = modules.flatMap(({ id, title }) => {
    const [to, from] = [parse(state, id), parse(seen, id)]
    if (!to || !from) throw new AppError('bad_request', 'This form is incomplete.')
    return to === from ? [] : [{ id, title, to }]
  })
  if (changes.length) await switchForCoach(ctx, coachId, changes)
}

/** As `setPlanModules`, for one coach. Throws not_found, too. */
export async function setCoachModules(
  ctx: WriteCtx,
  coachId: number,
  { modules = {} }: CoachModulesChange,
): Promise<CoachModules> {
  authorizeAdmin(ctx, 'admin:coach:write')
  const changes = Object.entries(modules).map(([id, to]) => ({ ...requireSwitchable(ctx, id, `modules.${id}`), to }))
  const { plan, planOff } = await getCoachModules(ctx, coachId)
  return describeCoachModules(ctx, { plan, planOff, switches: await switchForCoach(ctx, coachId, changes) })
}

type CoachChange = { id: string; title: string; to: ModuleState }

/** Returns all switches of the coach. Those that are as they should be are no change. */
async function switchForCoach(ctx: WriteCtx, coachId: number, wanted: CoachChange[]): Promise<Record<string, boolean>> {
  return writeAsTenant(ctx, coachId, async (tx) => {
    const account = await lockRow(tx, { notFound: coachNotFound }, Account, { id: coachId, removedAt: null })
    const before = account.moduleSwitches
    const changes = wanted.filter(({ id, to }) => toState(before[id]) !== to)
    if (!changes.length) return before
    const after = { ...before }
    for (const { id, to } of changes) {
      if (to === 'plan') delete after[id]
      else after[id] = to === 'on'
    }
    await setModuleSwitches(tx, after)
    const describe = (switches: Record<string, boolean>) =>
      changes.map(({ id, title }) => `${title}: ${moduleStates[toState(switches[id])].toLowerCase()}`).join(', ')
    recordAction(ctx, 'coach_modules_changed', {
      target: account,
      before: { modules: describe(before) },
      after: { modules: describe(after) },
    })
    return after
  })
}
