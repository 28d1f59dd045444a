import { formatDateTime } from '#app/lib/time.ts'
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
