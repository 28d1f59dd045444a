import { localDate } from '#app/lib/time.ts'
import { byteOrderMark, formatCsv, type Cell } from '#modules/core/csv/write.ts'
import { joinClient } from '#modules/crm/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { invoiceStatuses } from '../invoices/fields.ts'
import { invoiceSelect, type InvoiceRecord } from '../invoices/records.ts'
import { toAmountCell } from './amount-cell.ts'
import type { Period } from './taxes.ts'

// Programs read these files: columns are added at the end only.
const headers = [
  'Number',
  'Kind',
  'Status',
  'Issued',
  'Due',
  'Client',
  'Description',
  'Currency',
  'Net',
  'Tax',
  'Gross',
  'Paid',
  'Refunded',
  'Credited',
  'Left to pay',
]
const batchSize = 500

/** A CSV file of the invoices and credit notes issued in a period, by number, one piece per batch. */
export async function* exportInvoices(ctx: Ctx, { from, to }: Period): AsyncGenerator<string> {
  authorize(ctx, 'billing:invoice:read')
  yield byteOrderMark + formatCsv([headers])
  for (let after = { issueDate: '-infinity', id: 0 }; ; ) {
    const invoices = await ctx.query<InvoiceRecord>({
      name: 'billing.export-invoices',
      text: `select ${invoiceSelect('$2')} from invoice i ${joinClient('i')}
        where i.coach_id = $1 and i.issue_date between $3 and $4 and (i.issue_date, i.id) > ($5::date, $6::bigint)
        order by i.issue_date, i.id limit ${batchSize}`,
      values: [ctx.coachId, localDate(ctx.now(), ctx.account.timezone), from, to, after.issueDate, after.id],
    })
    if (invoices.length) yield formatCsv(invoices.map(toCells))
    const last = invoices.at(-1)
    if (!last || invoices.length < batchSize) return
    after = { issueDate: last.issueDate!, id: last.id }
  }
}

const toCells = (invoice: InvoiceRecord): Cell[] => [
  invoice.number ?? '',
  invoice.kind === 'credit_note' ? 'Credit note' : 'Invoice',
  invoiceStatuses[invoice.status],
  invoice.issueDate ?? '',
  invoice.dueDate ?? '',
  invoice.clientName ?? '',
  invoice.description,
  invoice.currency.toUpperCase(),
  ...[
    invoice.total - invoice.tax,
    invoice.tax,
    invoice.total,
    invoice.paid,
    invoice.refunded,
    invoice.credited,
    invoice.balance,
  ].map(toAmountCell),
]
