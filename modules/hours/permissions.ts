/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'hours:entry:read': 'See the log of coaching hours',
  'hours:entry:write': 'Add, edit and delete coaching hours, and choose how sessions count',
} as const
