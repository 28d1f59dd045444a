import type { PlanName } from '#tenants/accounts/plans.ts'

export type PricingPlan = {
  plan: PlanName
  title: string
  price: string
  tagline: string
  features: string[]
  callToAction: string
}

/** The plans as the landing page presents them. Source: part-1 §9. */
export const pricingPlans: PricingPlan[] = [
  {
    plan: 'free',
    title: 'Free',
    price: '$0',
    tagline: 'For your first client.',
    features: ['1 client', 'Basic features', 'Email support'],
    callToAction: 'Get Started Free',
  },
  {
    plan: 'pro',
    title: 'Pro',
    price: '$29',
    tagline: 'For a growing practice.',
    features: [
      'Up to 10 clients',
      'All features',
      'AI transcription and summaries',
      'Calendar integration',
      'Priority support',
    ],
    callToAction: 'Start Free Trial',
  },
  {
    plan: 'premium',
    title: 'Premium',
    price: '$59',
    tagline: 'For an established practice.',
    features: [
      'Unlimited clients',
      'AI transcription and summaries',
      'White-label branding',
      'Custom domain',
      'Advanced analytics',
    ],
    callToAction: 'Get Started',
  },
]

/** The registration page, with the chosen plan. */
export const registerHref = (plan: PlanName = 'free'): string =>
  plan === 'free' ? '/auth?tab=register' : `/auth?tab=register&plan=${plan}`
