import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'stripe:account:write': 'See, connect and disconnect the account for card payments',
}
