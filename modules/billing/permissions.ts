import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'billing:product:read': 'See the products and their prices',
  'billing:product:write': 'Add, change and delete products',
  'billing:purchase:read': 'See what clients have bought',
  'billing:purchase:write': 'Record, change and delete purchases',
  'billing:sale:read': 'See payment links and online sales',
  'billing:sale:write': 'Sell products online, and offer them by payment link',
  'billing:invoice:read': 'See invoices, payments and revenue',
  'billing:invoice:write': 'Issue invoices, and record payments and refunds',
  'client:invoice:read': 'See their own invoices in the portal',
}
