/** What one may be allowed to do here, with the sentence that the roles screen shows. */
export const permissions = {
  'crm:client:read': 'See clients, their notes and their activity',
  'crm:interaction:read': 'See the contacts with clients',
  'crm:interaction:write': 'Add, edit, delete and restore contacts with clients',
  'crm:client:write': 'Add, edit, archive, delete and restore clients',
} as const
