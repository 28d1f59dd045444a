/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'tasks:task:read': 'See tasks',
  'tasks:task:write': 'Add, complete, edit and delete tasks',
} as const
