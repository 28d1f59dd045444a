import { defineEntity, p } from '@mikro-orm/core'
import { allowedValues, check, lengthChecks } from '#db/columns.ts'
import { lookupRole } from '#db/policies.ts'
import { planNames, type PlanName } from '../accounts/plans.ts'

/** A module that a plan is without. Belongs to no tenant; functions of the database write it for administrators. */
export const PlanModuleSwitch = defineEntity({
  name: 'PlanModuleSwitch',
  tableName: 'plan_module_switch',
  primaryKeys: ['plan', 'module'],
  properties: { plan: p.text().$type<PlanName>().primary(), module: p.text().primary() },
  checks: [
    check('plan_module_switch_plan_allowed', allowedValues('plan', planNames)),
    ...lengthChecks('plan_module_switch', 60, ['module']),
  ],
  rowLevelSecurity: 'force',
  policies: [
    { name: 'plan_module_switch_read', command: 'select', using: 'true' },
    { name: 'plan_module_switch_write', roles: [lookupRole], using: 'true', check: 'true' },
  ],
})
