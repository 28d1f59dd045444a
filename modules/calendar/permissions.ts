import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'calendar:appointment:read': 'See the calendar and its appointments',
  'calendar:appointment:write': 'Schedule, change, complete and delete appointments',
  'calendar:type:read': 'See the appointment types',
  'calendar:type:write': 'Add, rename and delete appointment types',
}
