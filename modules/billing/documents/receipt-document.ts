import { formatMoney } from '#app/lib/money.ts'
import { localDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { formatFooter } from '#tenants/documents/branding.ts'
import type { PrintedDocument } from '#tenants/documents/printed-document.ts'
import { purchaseFields } from '../fields.ts'
import type { InvoiceRecord } from '../invoices/records.ts'
import type { Receipt } from '../queries/receipts.ts'
import { getBranding } from './branding.ts'
import { formatLongDate, getRecipient } from './invoice-document.ts'

/** A receipt says what a client paid, and what was left to pay then. */
export async function toReceiptDocument(
  ctx: Ctx,
  invoice: InvoiceRecord,
  { amount, method, occurredAt, balance }: Receipt,
): Promise<PrintedDocument> {
  const paidOn = formatLongDate(localDate(occurredAt, ctx.account.timezone))
  return {
    ...(await getBranding(ctx, { issuedBy: invoice.issuedBy, currency: invoice.currency })),
    title: 'Receipt',
    number: invoice.number,
    recipient: { ...(await getRecipient(ctx, invoice.id)), label: 'Received from' },
    facts: [
      { label: 'Paid', value: paidOn },
      { label: 'Method', value: purchaseFields.paymentMethod.choices[method] },
    ],
    table: {
      columns: [
        { head: 'For', share: 6 },
        { head: 'Invoice', share: 2 },
        { head: 'Total', share: 2, alignRight: true },
      ],
      rows: [[invoice.description, invoice.number ?? '', formatMoney(invoice.total, invoice.currency)]],
    },
    sums: [
      { label: 'Received', value: formatMoney(amount, invoice.currency), isStrong: true },
      { label: 'Left to pay', value: formatMoney(balance, invoice.currency) },
    ],
    paragraphs: [],
    footer: formatFooter(ctx, invoice.footer),
    createdAt: ctx.now(),
  }
}
