/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'webhooks:endpoint:read': 'See webhooks and what was sent to them',
  'webhooks:endpoint:write': 'Add, change, test and delete webhooks',
} as const
