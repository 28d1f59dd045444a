import { formatInput, formatMoney } from '#app/lib/money.ts'
import { formatDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { formatPrice, toPriceInput } from './format.ts'
import type { InvoiceRecord } from './invoices/records.ts'
import { toLineInputs, type LineTexts } from './invoices/line-form.ts'
import { listPackagedSessions } from './packages/packages.ts'
import { listUninvoicedSessions } from './queries/invoiced-sessions.ts'
import { getInvoiceForEdit } from './queries/invoices.ts'
import { listProductsForSale } from './queries/products.ts'
import { getSettings } from './queries/settings.ts'
import { describeSession } from './services/invoice-drafts.ts'

/** The editor of a draft. Throws not_found. */
export async function getDraftEditor(ctx: Ctx, id: number) {
  const invoice = await getInvoiceForEdit(ctx, id)
  const { clientId } = invoice
  const [settings, products, sessions] = await Promise.all([
    getSettings(ctx),
    ctx.can('billing:product:read') ? listProductsForSale(ctx) : [],
    clientId === null ? [] : listUninvoicedSessions(ctx, { clientId, invoiceId: id }),
  ])
  const packaged =
    clientId !== null && ctx.can('billing:purchase:read')
      ? await listPackagedSessions(ctx, clientId, sessions)
      : new Set<number>()
  const { taxRate, paymentDays } = settings
  return {
    draft: {
      id,
      version: invoice.version,
      isDraft: invoice.status === 'draft',
      clientName: invoice.clientName,
      values: toValues(invoice),
    },
    currency: invoice.currency,
    taxRate,
    paymentDays,
    products: products.map((product) => ({
      id: product.id,
      label: `${product.name}, ${formatPrice(product.price, ctx.account.currency)}`,
      line: toLine(product.name, toPriceInput(product.price, invoice.currency), taxRate, `product-${product.id}`),
    })),
    sessions: sessions.map((session) => ({
      id: session.id,
      title: session.title,
      detail: [
        formatDate(session.start, ctx.account.timezone),
        ...(session.price === null ? [] : [formatMoney(session.price, ctx.account.currency)]),
        ...(packaged.has(session.id) ? ['in a package'] : []),
      ].join(', '),
      line: toLine(
        describeSession(ctx, session),
        session.price === null ? '' : formatInput(session.price, ctx.account.currency),
        taxRate,
        `session-${session.id}`,
      ),
    })),
  }
}
export type DraftEditor = Awaited<ReturnType<typeof getDraftEditor>>

const toLine = (description: string, price: string, tax: string, source: string): LineTexts => ({
  description,
  quantity: '1',
  price,
  tax,
  source,
})

/** The inputs of the form. */
function toValues(invoice: InvoiceRecord): Record<string, string> {
  const { description, dueDate, notes, discountPercent, discountAmount, pricesIncludeTax, lines, currency } = invoice
  return {
    description,
    dueDate: dueDate ?? '',
    notes: notes ?? '',
    discount: discountPercent ? `${discountPercent}%` : discountAmount ? formatInput(discountAmount, currency) : '',
    taxMode: pricesIncludeTax ? 'included' : 'added',
    ...toLineInputs(
      lines.map((line) => ({
        description: line.description,
        quantity: line.quantity,
        price: formatInput(line.unitPrice, currency),
        tax: line.taxRate,
        source: line.productId
          ? `product-${line.productId}`
          : line.appointmentId
            ? `session-${line.appointmentId}`
            : '',
      })),
    ),
  }
}
