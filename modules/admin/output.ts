import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { auditActions, moduleStateNames, planNames, type AuditValues } from './fields.ts'

/** An account as the platform sees it, with exactly the fields of api.md. */
export const CoachOut = z.object({
  id: z.int(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  businessName: z.string().nullable(),
  subscriptionStatus: z.enum(planNames),
  createdAt: z.string(),
})
export type CoachRecord = z.output<typeof CoachOut>
/**
 * With what the admin console shows. `clients`: not archived or deleted; `twoStep`: signing in needs a code; `invited`:
 * never signed in since an administrator added the account.
 */
export type CoachOverview = CoachRecord & {
  clients: number
  onTrial: boolean
  twoStep: boolean
  invited: boolean
  paymentFailed: boolean
  removedAt: string | null
  lastSignInAt: string | null
}

export const toCoachRecord = (coach: CoachOverview): CoachRecord => CoachOut.parse(coach)

export const StatsOut = z.object({
  totalCoaches: z.int(),
  activeCoaches: z.int(),
  monthlyRevenue: z.int().describe('cents'),
  totalClients: z.int(),
  subscriptionBreakdown: z.object({ free: z.int(), pro: z.int(), premium: z.int() }),
})
export type PlatformStats = z.output<typeof StatsOut>

const switchedModule = {
  id: z.string(),
  title: z.string(),
  dependsOn: z.array(z.string()).describe('The ids of the modules that it needs: it is off while one of them is'),
  isSwitchable: z.boolean(),
}
const perPlan = () => z.object({ free: z.boolean(), pro: z.boolean(), premium: z.boolean() })

export const PlanModulesOut = z.object({
  modules: z.array(
    z.object({
      ...switchedModule,
      on: perPlan().describe('The switches of the plans'),
      available: perPlan().describe('Whether coaches on the plan have it, unless theirs is set otherwise'),
    }),
  ),
})
export type PlanModules = z.output<typeof PlanModulesOut>

export const CoachModulesOut = z.object({
  plan: z.enum(planNames),
  modules: z.array(
    z.object({
      ...switchedModule,
      state: z.enum(moduleStateNames).describe('What is set for the coach; `plan`: as in the plan'),
      onInPlan: z.boolean(),
      available: z.boolean().describe('Whether the coach has it'),
    }),
  ),
})
export type CoachModules = z.output<typeof CoachModulesOut>

const auditValues = z
  .custom<AuditValues>()
  .nullable()
  .meta({ type: ['object', 'null'] })

/**
 * An entry of the audit log. `actor`: the administrator, null for the operator; `target`: the coach, with the email of
 * that time, null for what concerns no single one.
 */
export const AuditOut = z.object({
  id: z.int(),
  actorId: z.int().nullable(),
  actorEmail: z.string().nullable(),
  action: z.enum(auditActions),
  targetId: z.int().nullable(),
  targetEmail: z.string().nullable(),
  before: auditValues,
  after: auditValues,
  ipAddress: z.string().nullable(),
  createdAt: z.string(),
})
export type AuditRecord = z.output<typeof AuditOut>

export const coachNotFound = (): AppError => new AppError('not_found', 'Coach not found', { subject: 'coach' })
