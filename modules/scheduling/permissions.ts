import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'scheduling:appointment:read': 'See the calendar and its appointments',
  'scheduling:appointment:write': 'Schedule, change, complete and delete appointments',
  'scheduling:type:read': 'See the appointment types',
  'scheduling:type:write': 'Add, rename and delete appointment types',
}
