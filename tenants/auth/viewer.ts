import type { PlanName } from '../accounts/plans.ts'

/** The signed-in account as every request knows it. Holds no secret. */
export type Account = {
  id: number
  email: string
  firstName: string
  lastName: string
  profileImageUrl: string | null
  businessName: string | null
  timezone: string
  primaryColor: string
  logoUrl: string | null
  subdomain: string | null
  onboardingCompleted: boolean
  isAdmin: boolean
  plan: PlanName
  trialEndsAt: string | null
  trialUsed: boolean
}

/** The coach whose host was asked for: what a visitor who isn't signed in may see of them. */
export type HostTenant = {
  id: number
  name: string
  bio: string | null
  primaryColor: string
  logoUrl: string | null
  subdomain: string
  plan: PlanName
}

/** Who asks, and at which door: found in one query at the start of each request. */
export type Visitor = { account: Account | null; tenant: HostTenant | null; sessionHash: Buffer | null }
