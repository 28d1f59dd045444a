import type { PermissionName } from '#tenants/context.ts'

/** What the booking pages may do for a visitor: see free times, and book one as a client or prospect. */
export const bookingPermissions: PermissionName[] = [
  'scheduling:availability:read',
  'scheduling:booking:write',
  'scheduling:appointment:read',
  'scheduling:appointment:write',
  'scheduling:type:read',
  'crm:client:read',
  'crm:client:write',
  'pipeline:prospect:read',
  'pipeline:prospect:write',
]
