/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'tasks:task:read': 'See tasks',
  'tasks:task:write': 'Add, complete, edit and delete tasks',
  'client:task:write': 'See and complete their own tasks in the portal',
} as const
