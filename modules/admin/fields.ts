import type { Fields } from '#app/lib/fields.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'

/** Browser code can't import the plans themselves. */
export const planTitles = { free: 'Free', pro: 'Pro', premium: 'Premium' } as const satisfies Record<PlanName, string>
export const planNames = Object.keys(planTitles) as PlanName[]

export const coachFields = {
  email: { kind: 'line', label: 'Email', required: 'Email is required' },
  firstName: { kind: 'line', label: 'First name', optional: true },
  lastName: { kind: 'line', label: 'Last name', optional: true },
  businessName: { kind: 'line', label: 'Business name', optional: true },
  subscriptionStatus: {
    kind: 'choice',
    label: 'Plan',
    choices: planTitles,
    message: 'Choose free, pro or premium',
    default: 'free',
  },
} as const satisfies Fields

/** The states that the list of coaches can be filtered by. Without one it has all who are not removed. */
export const coachStates = {
  invited: 'Invited',
  trial: 'On trial',
  'payment-failed': 'Payment failed',
  removed: 'Removed',
} as const
export type CoachState = keyof typeof coachStates
export const coachStateNames = Object.keys(coachStates) as CoachState[]

/** The jobs that the list shows. */
export const jobKinds = { all: 'All jobs', email: 'Emails', webhook: 'Webhook jobs' } as const
export type JobFilter = keyof typeof jobKinds
export const jobFilters = Object.keys(jobKinds) as JobFilter[]

/** The states that the list of webhook deliveries is filtered by. */
export const deliveryFilters = { failed: 'Failed', pending: 'Waiting', delivered: 'Delivered' } as const
export type DeliveryFilter = keyof typeof deliveryFilters
export const deliveryFilterNames = Object.keys(deliveryFilters) as DeliveryFilter[]

/** How a module is set for one coach. */
export const moduleStates = { plan: 'As in the plan', on: 'On', off: 'Off' } as const
export type ModuleState = keyof typeof moduleStates
export const moduleStateNames = Object.keys(moduleStates) as ModuleState[]

/** The verbs of the audit log, between the administrator's email and the coach's. */
export const auditActionTexts = {
  coach_added: 'added',
  invitation_sent: 'sent another invitation to',
  plan_changed: 'changed the plan of',
  coach_modules_changed: 'switched modules of',
  plan_modules_changed: 'switched modules of plans',
  coach_removed: 'removed',
  coach_restored: 'took back',
  coach_signed_out: 'signed out',
  second_factor_removed: 'turned off two-step sign-in of',
  jobs_retried: 'retried failed jobs',
  delivery_retried: 'retried a webhook delivery of',
  support_started: 'opened as support',
  support_page_opened: 'read as support, in',
  support_ended: 'left as support',
  announcement_added: 'added an announcement',
  announcement_changed: 'changed an announcement',
  announcement_deleted: 'deleted an announcement',
  administrator_added: 'gave administrator rights to',
  administrator_removed: 'took administrator rights from',
} as const
export type AuditAction = keyof typeof auditActionTexts
export const auditActions = Object.keys(auditActionTexts) as AuditAction[]

export const auditFieldLabels = {
  firstName: 'First name',
  lastName: 'Last name',
  businessName: 'Business name',
  plan: 'Plan',
  trialEndsAt: 'Trial ends',
  modules: 'Modules',
  jobs: 'Jobs',
  delivery: 'Delivery',
  page: 'Page',
  announcement: 'Announcement',
} as const
/** Values of the coach before or after an action. */
export type AuditValues = Partial<Record<keyof typeof auditFieldLabels, string | null>>

/** How long a coach lets administrators in, by the hours. */
export const supportHours = { '1': '1 hour', '24': '24 hours', '168': '7 days' } as const
export type SupportHours = keyof typeof supportHours

export const supportGrantFields = {
  hours: { kind: 'choice', label: 'For', choices: supportHours, message: 'Choose for how long' },
  reason: { kind: 'line', label: 'What should support look at?', required: 'Say what support should look at' },
} as const satisfies Fields

export const announcementFields = {
  title: { kind: 'line', label: 'Title', required: 'Title is required', max: 120 },
  body: { kind: 'text', label: 'Text', required: 'Text is required', max: 1000 },
  from: { kind: 'date', label: 'From', required: 'Choose the first day' },
  until: { kind: 'date', label: 'Until', required: 'Choose the last day' },
  plans: { kind: 'line', label: 'Plans', optional: true },
} as const satisfies Fields
