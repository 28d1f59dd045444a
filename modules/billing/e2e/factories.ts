import { localDate } from '#app/lib/time.ts'
import { getCounts } from '#modules/core/counts.ts'
import { clientTotalsSql } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import type { For } from '#tests/support/factories.ts'
import { inTenant } from '#tests/support/factories.ts'
import { NewInvoice } from '../invoices/forms.ts'
import { getInvoiceUrl } from '../invoices/public-link.ts'
import type { InvoiceRecord } from '../invoices/records.ts'
import { createInvoice as create } from '../services/invoices.ts'

import { getBillingTotals, listDifferences, type Difference } from '../queries/ledger.ts'

export { getBillingTotals, listDifferences }
export { listInvoices } from '../queries/invoices.ts'
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

/** Cents. `payments`: the revenue on /payments. `ofNobody`: entries without a client (decision 0121). */
export type Books = {
  dashboard: number
  payments: number
  clients: number
  ofNobody: number
  differences: Difference[]
}

/** Reads the same money where each screen reads it. All of it has to be of the current month, as on the dashboard. */
export async function readBooks(ctx: Ctx): Promise<Books> {
  const today = localDate(ctx.now(), ctx.account.timezone)
  const [{ monthlyRevenue }, { revenue }, differences, [sums]] = await Promise.all([
    getCounts(ctx),
    getBillingTotals(ctx, { today }),
    listDifferences(ctx),
    ctx.query<Pick<Books, 'clients' | 'ofNobody'>>({
      text: `select (select coalesce(sum(total_spent), 0)::bigint from (${clientTotalsSql}) c) as clients,
          (select coalesce(sum(amount), 0)::bigint from ledger_entry where coach_id = $1 and client_id is null) as "ofNobody"`,
      values: [ctx.coachId],
    }),
  ])
  return { dashboard: monthlyRevenue, payments: revenue, ...sums!, differences }
}
