import { clientRules } from '#tenants/auth/account-limits.ts'
import type { RateLimitRule } from '#tenants/auth/rate-limit.ts'

/** Counts contact forms, also those that are refused. That of a practice needs many clients. */
export const contactRules = (address: string, coachId: number): RateLimitRule[] => [
  ...clientRules('contact', address, { attempts: 30, minutes: 60 }),
  { key: `contact-practice:${coachId}`, attempts: 200, minutes: 60 },
]
