export type PlanName = 'free' | 'pro' | 'premium'
export type Feature = 'calendar-sync' | 'ai-summaries' | 'white-label' | 'custom-domain' | 'advanced-analytics'
export type Plan = { name: PlanName; title: string; monthlyPrice: number; clients: number | null; features: Feature[] }

/** The plans of the contract. `monthlyPrice` is in cents; `clients` null means no limit. Source: api.md "Plans", part-1 §9. */
export const plans: Record<PlanName, Plan> = {
  free: { name: 'free', title: 'Free', monthlyPrice: 0, clients: 1, features: [] },
  pro: { name: 'pro', title: 'Pro', monthlyPrice: 29_00, clients: 10, features: ['calendar-sync', 'ai-summaries'] },
  premium: {
    name: 'premium',
    title: 'Premium',
    monthlyPrice: 59_00,
    clients: null,
    features: ['calendar-sync', 'ai-summaries', 'white-label', 'custom-domain', 'advanced-analytics'],
  },
}

export const trialDays = 14

export function planHas(plan: PlanName, feature: Feature): boolean {
  return plans[plan].features.includes(feature)
}
