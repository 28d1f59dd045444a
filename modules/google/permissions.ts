import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'google:connection:read': 'See the connection with Google Calendar',
  'google:connection:write': 'Connect, change and disconnect Google Calendar',
}
