/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'messages:message:read': 'Read the messages of clients',
  'messages:message:write': 'Write to clients',
  'client:message:write': 'Read and write their own messages in the portal',
} as const
