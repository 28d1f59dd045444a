import { dayMs } from '#app/lib/time.ts'

export const planNames = ['free', 'pro', 'premium'] as const
export type PlanName = (typeof planNames)[number]
export type Feature =
  | 'calendar-sync'
  | 'ai-summaries'
  | 'automations'
  | 'white-label'
  | 'custom-domain'
  | 'advanced-analytics'
export type Plan = {
  name: PlanName
  title: string
  monthlyPrice: number
  maxClients: number | null
  maxStorageBytes: number
  features: Feature[]
}

/** `monthlyPrice` in cents; `maxClients` null: no limit. Source: api.md "Plans", part-1 §9. */
export const plans: Record<PlanName, Plan> = {
  free: { name: 'free', title: 'Free', monthlyPrice: 0, maxClients: 1, maxStorageBytes: 200 * 1024 ** 2, features: [] },
  pro: {
    name: 'pro',
    title: 'Pro',
    monthlyPrice: 29_00,
    maxClients: 10,
    maxStorageBytes: 2 * 1024 ** 3,
    features: ['calendar-sync', 'ai-summaries', 'automations'],
  },
  premium: {
    name: 'premium',
    title: 'Premium',
    monthlyPrice: 59_00,
    maxClients: null,
    maxStorageBytes: 20 * 1024 ** 3,
    features: ['calendar-sync', 'ai-summaries', 'automations', 'white-label', 'custom-domain', 'advanced-analytics'],
  },
}

export const trialDays = 14
/** How long a plan is kept while its payment fails. */
export const graceDays = 14

export function planIncludes(plan: PlanName, feature: Feature): boolean {
  return plans[plan].features.includes(feature)
}

/**
 * SQL: the plan of an `account` row at a time; a free plan is Pro during the trial. `at`: a placeholder such as `$2`.
 */
export const effectivePlanSql = (at: string): string => `effective_plan(plan, trial_ends_at, ${at})`

type Paying = { plan: PlanName; account: { paymentFailedAt: string | null } }

/** Whether the plan ended because its payment failed: then what is over the limit of the free one is read-only. */
export const isLapsed = ({ plan, account }: Paying): boolean => plan === 'free' && account.paymentFailedAt !== null

/** When the plan ends unless the payment works; null: it does, or the plan has ended. */
export const getGraceEnd = ({ plan, account: { paymentFailedAt } }: Paying): Date | null =>
  plan === 'free' || paymentFailedAt === null ? null : new Date(Date.parse(paymentFailedAt) + graceDays * dayMs)
