import type { Fields } from '#app/lib/fields.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'

/** Browser code can't import the plans themselves. */
export const planTitles = { free: 'Free', pro: 'Pro', premium: 'Premium' } as const satisfies Record<PlanName, string>
export const planNames = Object.keys(planTitles) as PlanName[]

export const coachFields = {
  email: { kind: 'line', label: 'Email', required: 'Email is required' },
  firstName: { kind: 'line', label: 'First name', optional: true },
  lastName: { kind: 'line', label: 'Last name', optional: true },
  businessName: { kind: 'line', label: 'Business name', optional: true },
  subscriptionStatus: {
    kind: 'choice',
    label: 'Plan',
    choices: planTitles,
    message: 'Choose free, pro or premium',
    default: 'free',
  },
} as const satisfies Fields
