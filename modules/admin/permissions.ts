import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'admin:coach:read': 'See all coaches and statistics of the platform',
  'admin:job:read': 'See the jobs of the platform, its emails and webhooks, and which failed',
  'admin:job:write': 'Run failed jobs once more',
  'admin:audit-log:read': 'See what administrators did',
  'admin:support-access:read': 'See whether support may read your practice',
  'admin:support-access:write': 'Let support read your practice, and end that',
  'admin:announcement:read': 'See announcements of the platform, and close them',
  'admin:announcement:write': 'Write announcements to coaches',
  'admin:coach:write': 'Add and remove coaches and change their plans',
}
