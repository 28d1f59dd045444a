/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'resources:resource:read': 'See and download resources',
  'resources:resource:write': 'Upload, edit, share and delete resources',
  'client:resource:read': 'See what is shared with them in the portal',
} as const
