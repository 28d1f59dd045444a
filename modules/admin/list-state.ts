import { enumParam, idParam, pageParam, textParam, urlState } from '#app/lib/url.ts'
import { planNames } from './fields.ts'

export const pageSize = 50

export const adminUrl = urlState('/admin', {
  q: textParam,
  plan: enumParam(planNames),
  page: pageParam,
  dialog: enumParam(['add', 'details', 'plan', 'sign-out', 'second-factor', 'remove']),
  coach: idParam,
})
export type AdminState = ReturnType<typeof adminUrl.parse>

/** `after`: the last entry of the previous page. */
export const auditLogUrl = urlState('/admin/audit-log', { after: idParam })
