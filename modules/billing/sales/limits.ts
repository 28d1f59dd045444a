import { clientRules } from '#tenants/auth/account-limits.ts'
import type { RateLimitRule } from '#tenants/auth/rate-limit.ts'

/** Counts forms of buyers, also those that are refused. The limit of a practice only keeps a flood away. */
export const saleRules = (address: string, coachId: number): RateLimitRule[] => [
  ...clientRules('sale', address, { attempts: 30, minutes: 60 }),
  { key: `sale-practice:${coachId}`, attempts: 500, minutes: 60 },
]
