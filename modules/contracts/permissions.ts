/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'contracts:template:read': 'See contract templates',
  'contracts:template:write': 'Write and delete contract templates, and require them with bookings and products',
  'contracts:contract:read': 'See the contracts of clients',
  'contracts:contract:write': 'Write, send, sign and void contracts',
  'contracts:signature:write': 'Read and sign a contract by its link',
  'contracts:verification:read': 'See by its code whether a contract is signed',
  'client:contract:read': 'See their contracts in the portal',
  'client:contract:write': 'Sign and decline their contracts in the portal',
} as const
