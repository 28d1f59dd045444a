import { defaultParam, enumParam, idParam, pageParam, textParam, urlState } from '#app/lib/url.ts'
import { coachStateNames, deliveryFilterNames, jobFilters, planNames } from './fields.ts'

export const pageSize = 50

export const adminUrl = urlState('/admin', {
  q: textParam,
  plan: enumParam(planNames),
  status: enumParam(coachStateNames),
  page: pageParam,
  dialog: enumParam(['add', 'details', 'invite', 'plan', 'sign-out', 'second-factor', 'remove', 'restore']),
  coach: idParam,
})
export type AdminState = ReturnType<typeof adminUrl.parse>

export const subscriptionsPath = '/admin/subscriptions'
export const analyticsPath = '/admin/analytics'
export const modulesPath = '/admin/modules'
export const toCoachModulesPath = (coachId: number): string => `${modulesPath}/${coachId}`

/** `state`, `q`: of the deliveries, which are another list, and of their coaches. `after`: the last of its previous page. */
export const jobsUrl = urlState('/admin/jobs', {
  kind: defaultParam([...jobFilters, 'delivery'], 'all'),
  page: pageParam,
  state: defaultParam(deliveryFilterNames, 'failed'),
  q: textParam,
  after: idParam,
})

/** `after`: the last entry of the previous page. */
export const auditLogUrl = urlState('/admin/audit-log', { after: idParam })

/** The coach's own page, where they let support in. */
export const supportAccessPath = '/settings/support-access'
/** Opens a practice, by a form with its coach. */
export const openSupportPath = '/admin/support'

export const announcementsUrl = urlState('/admin/announcements', {
  page: pageParam,
  dialog: enumParam(['edit', 'delete']),
  announcement: idParam,
})
/** Closes an announcement for the coach. */
export const dismissPath = '/announcements/dismiss'
