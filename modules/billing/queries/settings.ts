import { authorize, type Ctx } from '#tenants/context.ts'
import type { BillingSettingsRow } from '../schema.ts'

export type BillingSettings = Pick<
  BillingSettingsRow,
  | 'invoicePrefix'
  | 'nextNumber'
  | 'paymentDays'
  | 'taxName'
  | 'taxRate'
  | 'pricesIncludeTax'
  | 'taxId'
  | 'legalName'
  | 'address'
  | 'defaultNotes'
  | 'invoiceFooter'
  | 'version'
> & { id: number | null }

/** The settings until the first invoice or the first change creates the row. */
const unsaved: BillingSettings = {
  id: null,
  invoicePrefix: 'INV-',
  nextNumber: 1,
  paymentDays: 14,
  taxName: 'Tax',
  taxRate: '0',
  pricesIncludeTax: false,
  taxId: null,
  legalName: null,
  address: null,
  defaultNotes: null,
  invoiceFooter: null,
  version: 1,
}

/** How the coach invoices. */
export async function getSettings(ctx: Ctx): Promise<BillingSettings> {
  authorize(ctx, 'billing:invoice:read')
  const [row] = await ctx.query<BillingSettings>({
    name: 'billing.settings',
    text: `select id, invoice_prefix as "invoicePrefix", next_number as "nextNumber", payment_days as "paymentDays",
        tax_name as "taxName", trim_scale(tax_rate)::text as "taxRate", prices_include_tax as "pricesIncludeTax",
        tax_id as "taxId", legal_name as "legalName", address, default_notes as "defaultNotes",
        invoice_footer as "invoiceFooter", version
      from billing_settings where coach_id = $1`,
    values: [ctx.coachId],
  })
  return row ?? unsaved
}
