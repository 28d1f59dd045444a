import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'zoom:connection:read': 'See the connection with Zoom',
  'zoom:connection:write': 'Connect and disconnect Zoom',
}
