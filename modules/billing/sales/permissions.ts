import type { Ctx, PermissionName } from '#tenants/context.ts'

export const buyerPermissions: PermissionName[] = [
  'billing:sale:read',
  'billing:sale:write',
  'billing:product:read',
  'billing:purchase:write',
  'billing:invoice:read',
  'billing:invoice:write',
  'crm:client:read',
  'crm:client:write',
]

/** For somebody who buys on a page of the coach's host: their payment makes them a client. */
export const listBuyerPermissions = ({ platform }: Pick<Ctx, 'platform'>): PermissionName[] => [
  ...buyerPermissions,
  ...(platform.extensions.prospects?.permissions ?? []),
  ...platform.extensions.buyerPermissions,
]
