import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'admin:coach:read': 'See all coaches of the platform and its figures',
  'admin:coach:write': 'Add and remove coaches and change their plans',
}
