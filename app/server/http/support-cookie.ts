import { parseId } from '#app/lib/url.ts'

/**
 * Names the administrator's visit to a practice. It is no secret: the visit belongs to the session of the administrator,
 * and is looked up with it.
 */
export type SupportCookie = { visitId: number }

export const supportCookieName = 'support'

export const toSupportCookie = ({ visitId }: SupportCookie): string => String(visitId)

/** A value that names no visit is one that has ended. */
export const parseSupportCookie = (value: string): SupportCookie => ({ visitId: parseId(value) })

export const leavePath = '/admin/support/leave'
