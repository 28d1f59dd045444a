import { AppError } from '#app/lib/errors.ts'
import { listSwitchedOff } from '#modules/core/extensions.ts'
import { lockRow } from '#modules/core/lock-row.ts'
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
import type { CoachModulesForm, PlanModulesForm } from '../forms.ts'
import { coachNotFound } from '../output.ts'
import { recordAction } from './audit-log.ts'

/** `needs`: the titles of the modules that it depends on. */
export type SwitchedModule = { id: string; title: string; needs: string[]; isSwitchable: boolean }

/** The modules of a practice, without that of the administrators. */
export function listModules({ platform }: Ctx): SwitchedModule[] {
  const { modules } = platform.extensions
  return modules
    .filter(({ id }) => id !== 'admin')
    .map(({ id, title, dependsOn, isSwitchable }) => ({
      id,
      title,
      isSwitchable,
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

/** Switches what the administrator changed in the form, so that two of them don't undo each other's changes. */
export async function changePlanModules(ctx: WriteCtx, { on, seen }: PlanModulesForm): Promise<void> {
  authorizeAdmin(ctx, 'admin:coach:write')
  const changes = planNames.flatMap((plan) =>
    listModules(ctx)
      .filter(({ isSwitchable }) => isSwitchable)
      .map(({ id, title }) => ({ plan, id, title, key: `${plan}:${id}` }))
      .filter(({ key }) => on.includes(key) !== seen.includes(key)),
  )
  if (!changes.length) return
  for (const plan of planNames) {
    const own = changes.filter((change) => change.plan === plan)
    const ids = (isOn: boolean) => own.filter(({ key }) => on.includes(key) === isOn).map(({ id }) => id)
    if (own.length) await switchPlanModules(ctx, plan, { on: ids(true), off: ids(false) })
  }
  const describe = (keys: string[]) =>
    changes
      .map(({ plan, title, key }) => `${title} ${keys.includes(key) ? 'on' : 'off'} in ${planTitles[plan]}`)
      .join(', ')
  recordAction(ctx, 'plan_modules_changed', {
    target: null,
    before: { modules: describe(seen) },
    after: { modules: describe(on) },
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
  if (!changes.length) return
  await writeAsTenant(ctx, coachId, async (tx) => {
    const account = await lockRow(tx, { notFound: coachNotFound }, Account, { id: coachId, removedAt: null })
    const before = account.moduleSwitches
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
  })
}
