import type { PermissionName } from '#tenants/context.ts'

/** The booking pages show free times to a visitor, and book one for a client or prospect. */
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
