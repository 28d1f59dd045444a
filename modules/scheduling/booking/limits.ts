import { clientRules } from '#tenants/auth/account-limits.ts'
import type { RateLimitRule } from '#tenants/auth/rate-limit.ts'

// The limits of visitors. The ones of a practice need many clients: they only keep a flood away from the calendar.

/** Counts pages with free times. */
export const slotRules = (address: string): RateLimitRule[] =>
  clientRules('booking-slots', address, { attempts: 300, minutes: 10 })

/** Counts times that are held: nobody else can book them. */
export const holdRules = (address: string, coachId: number): RateLimitRule[] => [
  ...clientRules('booking-hold', address, { attempts: 30, minutes: 10 }),
  { key: `booking-hold-practice:${coachId}`, attempts: 500, minutes: 10 },
]

/** Counts booking forms, also those that are refused. */
export const bookingRules = (address: string, coachId: number): RateLimitRule[] => [
  ...clientRules('booking', address, { attempts: 30, minutes: 60 }),
  { key: `booking-practice:${coachId}`, attempts: 500, minutes: 60 },
]
