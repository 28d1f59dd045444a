import type { TimeFormat, WeekStart } from '#app/lib/clock.ts'
import type { PlanName } from '../accounts/plans.ts'

/** The signed-in account of a request. Contains no secret. */
export type CoachAccount = {
  id: number
  email: string
  /** Whether the coach opened the link that was sent to the address. */
  emailVerified: boolean
  firstName: string
  lastName: string
  profileImageUrl: string | null
  businessName: string | null
  timezone: string
  weekStart: WeekStart
  timeFormat: TimeFormat
  /** ISO 4217, lower case. Amounts are hundredths of it. */
  currency: string
  primaryColor: string
  logoUrl: string | null
  subdomain: string | null
  onboardingCompleted: boolean
  isAdmin: boolean
  plan: PlanName
  trialEndsAt: string | null
  trialUsed: boolean
  /** Since when the payment of the plan fails; null: it doesn't. */
  paymentFailedAt: string | null
}

/** The coach of the requested host, as visitors who aren't signed in may see them. */
export type HostTenant = {
  id: number
  name: string
  bio: string | null
  primaryColor: string
  logoUrl: string | null
  subdomain: string
  plan: PlanName
}

/** The account and the host's coach of a request, loaded in one query when it starts. */
export type Viewer = { account: CoachAccount | null; tenant: HostTenant | null; sessionHash: Buffer | null }
