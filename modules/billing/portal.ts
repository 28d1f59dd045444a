import { formatMoney } from '#app/lib/money.ts'
import { formatCalendarDate } from '#app/lib/time.ts'
import type { PortalLink } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { invoiceStatuses } from './invoices/fields.ts'
import { getInvoicePath } from './invoices/public-link.ts'
import { listOwnInvoices, type ClientInvoice } from './queries/client-invoices.ts'

const homeRows = 5
const pageRows = 200

export const portalPage = async (): Promise<PortalLink> => ({ label: 'Invoices', to: '/portal/invoices' })

/** The unpaid invoices of the client in the portal; null without one. */
export async function loadPortalInvoices(ctx: Ctx) {
  const invoices = await listOwnInvoices(ctx, homeRows, { isOpen: true })
  return invoices.length ? { invoices: invoices.map((invoice) => toView(ctx, invoice)) } : null
}
export type PortalInvoices = NonNullable<Awaited<ReturnType<typeof loadPortalInvoices>>>

/** The page of the client's invoices. */
export async function loadPortalInvoicesPage(ctx: Ctx): Promise<PortalInvoices> {
  const invoices = await listOwnInvoices(ctx, pageRows, { isOpen: false })
  return { invoices: invoices.map((invoice) => toView(ctx, invoice)) }
}

function toView(
  ctx: Ctx,
  { id, number, description, status, currency, total, balance, dueDate, issueDate }: ClientInvoice,
) {
  const toDay = (date: string) => formatCalendarDate(date, { month: 'short', day: 'numeric', year: 'numeric' })
  // Whether and how it was sent is the coach's matter.
  const statusLabel = ['open', 'sent'].includes(status) ? 'To pay' : invoiceStatuses[status]
  return {
    id,
    number,
    description,
    statusLabel,
    isOverdue: status === 'overdue',
    amount: formatMoney(balance || total, currency),
    toPay: balance > 0,
    date: balance > 0 && dueDate ? `Due ${toDay(dueDate)}` : toDay(issueDate),
    to: getInvoicePath(ctx, id),
  }
}
export type PortalInvoice = ReturnType<typeof toView>
