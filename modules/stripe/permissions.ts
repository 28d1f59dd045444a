import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'stripe:plan:read': 'See how the own plan is paid for',
  'stripe:plan:write': 'Pay for the own plan, change and cancel it',
  'stripe:account:write': 'See, connect and disconnect the account for card payments',
  'stripe:payment:write': 'Pay an invoice or a sale by card',
  'stripe:subscription:read': 'See the subscriptions of clients',
  'stripe:subscription:write': 'Offer, pause, change and cancel subscriptions of clients',
}

/** A client who pays an invoice by its signed link has these. */
export const payerPermissions: PermissionName[] = [
  'billing:invoice:read',
  'billing:invoice:write',
  'crm:client:read',
  'stripe:payment:write',
]
