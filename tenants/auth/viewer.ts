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
  /** Proved by DNS. Used while the plan includes one: see `getCustomDomain`. */
  customDomain: string | null
  onboardingCompleted: boolean
  isAdmin: boolean
  plan: PlanName
  /** The modules that are switched off, without those that depend on them. */
  modulesOff: string[]
  trialEndsAt: string | null
  trialUsed: boolean
  /** The payment of the plan fails since then; null: it doesn't. */
  paymentFailedAt: string | null
}

/** `closedAt`: the time of closing. */
export type ClosedAccount = { account: CoachAccount; closedAt: string }

/** The coach of the requested host, as visitors who aren't signed in may see them. */
export type HostTenant = {
  id: number
  name: string
  bio: string | null
  primaryColor: string
  logoUrl: string | null
  subdomain: string
  customDomain: string | null
  plan: PlanName
}

/** The reading of a practice by an administrator. `until`: when the coach's consent ends. */
export type SupportVisit = { id: number; coach: CoachAccount; administrator: CoachAccount; until: string }

/**
 * The account and the host's coach of a request, loaded in one query when it starts. `owner`: the account of the host's
 * coach, in whose name visitors act; nothing of it may be sent to them but what `tenant` has, and the address to write
 * to.
 */
export type Viewer = {
  account: CoachAccount | null
  tenant: HostTenant | null
  owner: CoachAccount | null
  sessionHash: Buffer | null
  /** The visited host, if it is the domain of a coach: sessions that are made there are valid there alone. */
  domain: string | null
  /** The account of the session, if its owner has closed it, on the platform's host. `account` is null then. */
  closed?: ClosedAccount | null
  /** The scopes of the API key that the request was sent with; missing for a session, which may do everything. */
  scopes?: string[]
  /** The id of that key, for the log. */
  keyId?: number
  /** `account` is that of a coach who lets an administrator read the practice, and nothing can be changed. */
  support?: SupportVisit
  /** The administrator's visit is over, and the browser doesn't know yet. `account` is null then. `id`: of theirs. */
  supportEnded?: { id: number; isAdmin: boolean }
}
