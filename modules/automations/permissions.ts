/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'automations:automation:read': 'See automations and what they did',
  'automations:automation:write': 'Add, change, switch on and off, and delete automations',
} as const
