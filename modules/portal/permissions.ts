/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'portal:access:read': 'See which clients use the portal',
  'portal:access:write': 'Invite clients to the portal and sign them out',
  'client:passkey:write': 'See, add and remove their own passkeys of the portal',
} as const
