/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'crm:client:read': 'See clients, their notes and their activity',
  'crm:interaction:read': 'See interactions with clients',
  'crm:interaction:write': 'Add, edit, delete and restore interactions with clients',
  'crm:client:write': 'Add, edit, archive, delete and restore clients',
} as const
