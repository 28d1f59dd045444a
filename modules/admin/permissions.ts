import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'admin:coach:read': 'See all coaches and statistics of the platform',
  'admin:audit-log:read': 'See what administrators did',
  'admin:coach:write': 'Add and remove coaches and change their plans',
}
