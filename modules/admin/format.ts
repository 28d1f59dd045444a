import { dayMs, formatDateTime } from '#app/lib/time.ts'
import type { TimeSettings } from '#app/lib/clock.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { auditFieldLabels, planTitles, type AuditValues } from './fields.ts'

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

/** 'Mar 2026' of 2026-03. */
export const formatMonth = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** '33%', or '–' of nothing. */
export const formatShare = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`

/** '$1,234': list prices have no cents. */
export const formatPrice = (cents: number): string => `$${(cents / 100).toLocaleString('en-US')}`

/** 'Apr 8, 2026': the day on which the data of a removed coach is erased. */
export const formatErasure = (removedAt: string, days: number): string =>
  formatJoined(new Date(Date.parse(removedAt) + days * dayMs).toISOString())

type AuditField = keyof typeof auditFieldLabels

/** The values of an audit entry, side by side; without those that are empty before and after. */
export function listAuditChanges(
  before: AuditValues | null,
  after: AuditValues | null,
  settings: TimeSettings,
): { label: string; from: string | null; to: string | null }[] {
  const format = (field: AuditField, value: string | null | undefined): string | null => {
    if (!value) return null
    if (field === 'trialEndsAt') return formatDateTime(value, settings)
    return field === 'plan' ? planTitles[value as PlanName] : value
  }
  return (Object.keys(auditFieldLabels) as AuditField[])
    .map((field) => ({
      label: auditFieldLabels[field],
      from: format(field, before?.[field]),
      to: format(field, after?.[field]),
    }))
    .filter(({ from, to }) => from !== null || to !== null)
}

/** 'Billing: send reminder' of `billing.send-reminder`; 'Google: after scheduling appointment created' of a subscriber. */
export function formatQueue(queue: string): string {
  const [owner, ...rest] = queue.split('.')
  const words = rest.map((part) => part.replaceAll('-', ' '))
  const name = words[0] === 'on' ? ['after', ...words.slice(1)] : words
  return `${owner!.charAt(0).toUpperCase()}${owner!.slice(1)}: ${name.join(' ')}`
}

/** '40 s', '12 min', '3 h', '2 days'. */
export function formatWait(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}
