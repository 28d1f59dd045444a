import { formatMoney } from '#app/lib/money.ts'
import { formatCalendarDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { formatFooter } from '#tenants/documents/branding.ts'
import type { PrintedColumn, PrintedDocument, PrintedLine } from '#tenants/documents/printed-document.ts'
import type { InvoiceRecord } from '../invoices/records.ts'
import { computeTotals } from '../invoices/totals.ts'
import { getInvoice } from '../queries/invoices.ts'
import { getBranding } from './branding.ts'

/** An issued invoice or credit note on paper: what it says since it was issued, and nothing of what was paid later. */
export async function toInvoiceDocument(ctx: Ctx, invoice: InvoiceRecord): Promise<PrintedDocument> {
  const { kind, number, issueDate, dueDate, creditedInvoiceId, lines, notes, currency } = invoice
  const credited = creditedInvoiceId === null ? null : await getInvoice(ctx, creditedInvoiceId)
  const hasTax = lines.some(({ taxRate }) => taxRate !== '0')
  const facts: [string, string | null | undefined][] = [
    ['Issued', issueDate && formatLongDate(issueDate)],
    ['Due', kind === 'invoice' && dueDate ? formatLongDate(dueDate) : null],
    ['Credit for', credited?.number],
  ]
  const columns: (PrintedColumn | false)[] = [
    { head: 'Description', share: 6 },
    { head: 'Qty', share: 1, alignRight: true },
    { head: 'Price', share: 2, alignRight: true },
    hasTax && { head: invoice.taxName ?? 'Tax', share: 1.2, alignRight: true },
    { head: 'Amount', share: 2, alignRight: true },
  ]
  return {
    ...(await getBranding(ctx, { issuedBy: invoice.issuedBy, currency })),
    title: kind === 'credit_note' ? 'Credit note' : 'Invoice',
    number,
    recipient: await getRecipient(ctx, invoice.id),
    facts: facts.flatMap(([label, value]) => (value ? [{ label, value }] : [])),
    table: {
      columns: columns.filter((column) => column !== false),
      rows: lines.map(({ description, quantity, unitPrice, taxRate, amount }) => [
        description,
        quantity,
        formatMoney(unitPrice, currency),
        ...(hasTax ? [`${taxRate}%`] : []),
        formatMoney(amount, currency),
      ]),
    },
    sums: listSums(invoice),
    paragraphs: notes ? [notes] : [],
    footer: formatFooter(ctx, invoice.footer),
    createdAt: ctx.now(),
  }
}

export const formatLongDate = (date: string): string =>
  formatCalendarDate(date, { month: 'long', day: 'numeric', year: 'numeric' })

/** The recipient as it was when the invoice was issued. */
export async function getRecipient(ctx: Ctx, invoiceId: number): Promise<PrintedDocument['recipient']> {
  const [row] = await ctx.query<{ name: string | null; email: string | null; address: string | null }>({
    name: 'billing.recipient',
    text: `select bill_to_name as name, bill_to_email as email, bill_to_address as address from invoice
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, invoiceId],
  })
  const { name, email, address } = row!
  return {
    label: 'Billed to',
    lines: [name ?? 'Deleted client', ...(address?.split('\n') ?? []), ...(email ? [email] : [])],
  }
}

function listSums(invoice: InvoiceRecord): (PrintedLine & { isStrong?: boolean })[] {
  const { subtotal, discount, discountPercent, total, pricesIncludeTax, taxName, currency } = invoice
  const { taxes } = computeTotals(invoice)
  return [
    ...(discount || taxes.length ? [{ label: 'Subtotal', value: formatMoney(subtotal, currency) }] : []),
    ...(discount
      ? [
          {
            label: `Discount${discountPercent ? ` ${discountPercent}%` : ''}`,
            value: `−${formatMoney(discount, currency)}`,
          },
        ]
      : []),
    ...(pricesIncludeTax ? [] : taxes.map(toTaxLine)),
    { label: 'Total', value: formatMoney(total, currency), isStrong: true },
    ...(pricesIncludeTax ? taxes.map(toTaxLine) : []),
  ]

  function toTaxLine({ rate, net, tax }: (typeof taxes)[number]): PrintedLine {
    const name = `${taxName ?? 'Tax'} ${rate}%`
    return {
      label: `${pricesIncludeTax ? `Includes ${name}` : name} on ${formatMoney(net, currency)}`,
      value: formatMoney(tax, currency),
    }
  }
}
