import type { PlanName } from '#tenants/accounts/plans.ts'

export type Offer = { plan: PlanName; title: string; price: string; forWhom: string; includes: string[]; call: string }

/** The plans as they are offered. Source: part-1 §9. */
export const offers: Offer[] = [
  {
    plan: 'free',
    title: 'Free',
    price: '$0',
    forWhom: 'For the first client.',
    includes: ['1 client', 'Basic features', 'Email support'],
    call: 'Get Started Free',
  },
  {
    plan: 'pro',
    title: 'Pro',
    price: '$29',
    forWhom: 'For a practice that has begun.',
    includes: [
      'Up to 10 clients',
      'All features',
      'AI transcription and summaries',
      'Calendar integration',
      'Priority support',
    ],
    call: 'Start Free Trial',
  },
  {
    plan: 'premium',
    title: 'Premium',
    price: '$59',
    forWhom: 'For a practice with a name.',
    includes: [
      'Unlimited clients',
      'AI transcription and summaries',
      'White-label branding',
      'Custom domain',
      'Advanced analytics',
    ],
    call: 'Get Started',
  },
]
