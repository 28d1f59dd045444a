import { AppError } from '#app/lib/errors.ts'
import { effectivePlanSql, planNames, type PlanName } from '../accounts/plans.ts'
import type { Ctx, WriteCtx } from '../context.ts'
import type { Platform, TenantTransaction } from '../platform.ts'

export type ModuleSwitches = { plan: PlanName; switches: Record<string, boolean>; off: string[] }

/**
 * The switches that administrators set for a coach, and the modules that are `off` with those of the plan, without those
 * that depend on them. Null for a coach who was removed. Requests have it already: see `CoachAccount.modulesOff`.
 */
export async function findModuleSwitches(platform: Platform, coachId: number): Promise<ModuleSwitches | null> {
  const plan = effectivePlanSql('$2')
  const [rows] = await platform.readPool.queryAsTenant(coachId, [
    {
      name: 'module-switches.of-coach',
      text: `select ${plan} as plan, module_switches as switches, list_modules_off(module_switches, ${plan}) as off
        from account where id = $1 and removed_at is null`,
      values: [coachId, platform.now()],
    },
  ])
  const [found] = rows as ModuleSwitches[]
  return found ?? null
}

/** The modules that each plan is without. */
export async function listPlanModulesOff(ctx: Ctx): Promise<Record<PlanName, string[]>> {
  const rows = await ctx.query<{ plan: PlanName; module: string }>({
    name: 'module-switches.of-plans',
    text: 'select plan, module from plan_module_switch order by plan, module',
  })
  const entries = planNames.map((name) => [name, rows.filter(({ plan }) => plan === name).map(({ module }) => module)])
  return Object.fromEntries(entries)
}

/** The database refuses it unless an administrator makes the change. */
export async function switchPlanModules(
  ctx: WriteCtx,
  plan: PlanName,
  { off, on }: { off: string[]; on: string[] },
): Promise<void> {
  await ctx.query({
    name: 'module-switches.set-plan',
    text: 'select switch_plan_modules($1, $2, $3)',
    values: [plan, off, on],
  })
}

/** Replaces those of the transaction's coach. The database refuses it unless an administrator makes the change. */
export async function setModuleSwitches(tx: TenantTransaction, switches: Record<string, boolean>): Promise<void> {
  await tx.query({
    name: 'module-switches.set',
    text: 'select set_module_switches($1)',
    values: [JSON.stringify(switches)],
  })
}

/** For the coach: visitors learn nothing. */
export const switchedOffError = (title: string): AppError =>
  new AppError('plan_required', `${title} isn’t part of your plan.`)
