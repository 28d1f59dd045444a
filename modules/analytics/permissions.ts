import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'analytics:report:read': 'See the numbers of the practice and the rows that they are made of',
}
