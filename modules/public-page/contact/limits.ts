import { clientRules } from '#tenants/auth/account-limits.ts'
import type { RateLimitRule } from '#tenants/auth/rate-limit.ts'

/** Counts contact forms of one client, also those that are refused. */
export const contactRules = (address: string): RateLimitRule[] => [
  ...clientRules('contact', address, { attempts: 30, minutes: 60 }),
  ...clientRules('contact-day', address, { attempts: 60, minutes: 24 * 60 }),
]

/** Counts those that the limits of their clients allowed: to reach these takes many clients. */
export const practiceContactRules = (coachId: number): RateLimitRule[] => [
  { key: `contact-practice:${coachId}`, attempts: 200, minutes: 60 },
  { key: `contact-practice-day:${coachId}`, attempts: 500, minutes: 24 * 60 },
]
