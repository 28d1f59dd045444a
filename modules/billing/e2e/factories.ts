import type { For } from '#tests/support/factories.ts'
import { inTenant } from '#tests/support/factories.ts'
import { NewInvoice } from '../invoices/forms.ts'
import { getInvoiceUrl } from '../invoices/public-link.ts'
import type { InvoiceRecord } from '../invoices/records.ts'
import { createInvoice as create } from '../services/invoices.ts'

export { getBillingTotals, listDifferences } from '../queries/ledger.ts'
export { recordPayment, refundInvoice } from '../services/invoice-payments.ts'
export { voidInvoice } from '../services/invoices.ts'

/** An issued invoice of $150.00, and its address for the client. `amount`: cents. */
export function createInvoice({
  coach,
  amount = 15_000,
  ...fields
}: For<typeof NewInvoice> & { clientId: number; amount?: number }): Promise<InvoiceRecord & { url: string | null }> {
  const lines = [{ description: 'Session', unitPrice: amount }]
  return inTenant(coach, async (ctx) => {
    const invoice = await create(ctx, NewInvoice.parse({ description: 'Coaching', lines, ...fields }))
    return { ...invoice, url: getInvoiceUrl(ctx, invoice.id) }
  })
}
