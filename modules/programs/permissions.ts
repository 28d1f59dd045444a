/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'programs:program:read': 'See the programs of clients',
  'programs:program:write': 'Assign, change and delete programs and their goals',
  'programs:template:read': 'See the templates of programs',
  'programs:template:write': 'Build and delete templates of programs',
  'client:program:write': 'See their programs in the portal, tick items and update goals',
} as const
