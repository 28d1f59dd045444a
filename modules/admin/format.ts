import type { PlanName } from '#tenants/accounts/plans.ts'
import { planTitles } from './fields.ts'

/** The name, or the email of a coach without one. */
export const formatName = ({
  firstName,
  lastName,
  email,
}: Record<'firstName' | 'lastName' | 'email', string>): string => `${firstName} ${lastName}`.trim() || email

/** 'Pro, trial' */
export const formatPlan = (coach: { subscriptionStatus: PlanName; onTrial: boolean }): string =>
  `${planTitles[coach.subscriptionStatus]}${coach.onTrial ? ', trial' : ''}`

/** 'Mar 9, 2026' */
export const formatJoined = (createdAt: string): string =>
  new Date(createdAt).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  })
