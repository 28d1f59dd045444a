import { formatInput, formatMoney } from '#app/lib/money.ts'
import { formatCalendarDate, formatDate, localDate } from '#app/lib/time.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { listClientNames, listClientOptions } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { toAppError } from '#db/error-mapping.ts'
import { purchaseFields, type PaymentMethod } from './fields.ts'
import { getInvoiceUrl } from './invoices/public-link.ts'
import type { InvoiceRecord } from './invoices/records.ts'
import type { InvoiceNotice } from './payment-provider.ts'
import type { PaymentListState } from './list-state.ts'
import { getInvoice, listInvoicesPage, type ListedInvoice } from './queries/invoices.ts'
import { getSettings } from './queries/settings.ts'
import { getBillingTotals, listInvoiceEntries, type LedgerEntryRow } from './queries/ledger.ts'
import { findClientEmail } from './queries/recipients.ts'

const dateFormat = { month: 'short', day: 'numeric', year: 'numeric' } as const
const longDateFormat = { month: 'long', day: 'numeric', year: 'numeric' } as const

export type InvoiceRow = ReturnType<typeof toInvoiceRow>

function toInvoiceRow({ total, date, kind, currency, ...invoice }: ListedInvoice) {
  return {
    ...invoice,
    kind,
    amount: `${kind === 'credit_note' ? '−' : ''}${formatMoney(total, currency)}`,
    date: formatCalendarDate(date, dateFormat),
  }
}

/** The totals, the filtered page of invoices, and the client that it is filtered by. */
export async function getPaymentsPage(ctx: Ctx, state: PaymentListState) {
  const { currency } = ctx.account
  const today = localDate(ctx.now(), ctx.account.timezone)
  const [totals, { invoices, count }, [client]] = await Promise.all([
    getBillingTotals(ctx, { today, clientId: state.client }),
    listInvoicesPage(ctx, state),
    state.client ? listClientNames(ctx, [state.client]) : [],
  ])
  return {
    client: client ?? null,
    totals: {
      revenue: formatMoney(totals.revenue, currency),
      outstanding: formatMoney(totals.outstanding, currency),
      overdue: totals.overdue ? formatMoney(totals.overdue, currency) : null,
      invoices: totals.invoices,
    },
    rows: invoices.map(toInvoiceRow),
    count,
  }
}

/** Most clients that the dialog lists. Beyond that, the user searches. */
const maxClients = 100

/** The dialog Create Invoice. `client`: the one that is chosen already. */
export async function getCreateInvoiceDialog(ctx: Ctx, clientSearch: string, client: number | null) {
  const [clients, { paymentDays, defaultNotes }] = await Promise.all([
    listClientOptions(ctx, { q: clientSearch, rows: maxClients + 1 }),
    getSettings(ctx),
  ])
  const listed = clients.slice(0, maxClients)
  const [chosen] = client && !listed.some(({ id }) => id === client) ? await listClientNames(ctx, [client]) : []
  return {
    clients: chosen && !chosen.inTrash ? [{ id: chosen.id, name: chosen.name }, ...listed] : listed,
    hasMore: clients.length > maxClients,
    clientSearch,
    clientId: client ? String(client) : '',
    paymentDays,
    defaultNotes,
  }
}
export type CreateInvoiceData = Awaited<ReturnType<typeof getCreateInvoiceDialog>>

/** An invoice as its sheet and its dialogs show it; null if it doesn't exist. */
export async function getInvoiceView(ctx: Ctx, id: number) {
  const invoice = await getInvoice(ctx, id).catch((error) => {
    if (toAppError(error).code === 'not_found') return null
    throw error
  })
  if (!invoice) return null
  const [entries, email, notices] = await Promise.all([
    listInvoiceEntries(ctx, id),
    findClientEmail(ctx, invoice.clientId),
    fillSlot(ctx, 'invoice.notice', { id: String(id) }),
  ])
  const onlineLeft = entries.reduce((sum, one) => (one.isOnline ? sum + one.amount : sum), -invoice.refunding)
  const refundable = invoice.paid - invoice.refunded - invoice.refunding
  return {
    ...toInvoiceView(invoice),
    refundable: formatInput(refundable, invoice.currency),
    refundableAmount: formatMoney(refundable, invoice.currency),
    /** A refund before full payment is due again. */
    isRefundDueAgain: invoice.balance > 0,
    canRefundOnline: onlineLeft > 0,
    methods: { pay: 'bank_transfer', refund: onlineLeft > 0 ? 'stripe' : findPaymentMethod(entries) } as const,
    notices: notices.flatMap(({ data }) => data as InvoiceNotice[]),
    creditable: formatInput(invoice.total - invoice.credited, invoice.currency),
    can: { ...listActions(invoice), sendReceipt: ctx.account.emailVerified && email !== null },
    sentAt: invoice.sentAt && formatDate(invoice.sentAt, ctx.account.timezone),
    url: invoice.status === 'draft' ? null : getInvoiceUrl(ctx, id),
    entries: entries.map((entry) => toEntryView(entry, ctx.account.timezone, invoice.currency)),
    today: localDate(ctx.now(), ctx.account.timezone),
  }
}
export type InvoiceView = NonNullable<Awaited<ReturnType<typeof getInvoiceView>>>

/** The texts of an invoice. */
export function toInvoiceView(invoice: InvoiceRecord) {
  const { id, kind, status, number, clientId, clientName, description, notes, currency } = invoice
  const day = (date: string | null) => date && formatCalendarDate(date, longDateFormat)
  return {
    id,
    kind,
    status,
    number,
    clientId,
    clientName,
    description,
    notes,
    currency,
    issueDate: day(invoice.issueDate),
    dueDate: day(invoice.dueDate),
    lines: invoice.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unitPrice: formatMoney(line.unitPrice, currency),
      amount: formatMoney(line.amount, currency),
    })),
    subtotal: formatMoney(invoice.subtotal, currency),
    discount: invoice.discount ? formatMoney(invoice.discount, currency) : null,
    tax: invoice.tax ? formatMoney(invoice.tax, currency) : null,
    pricesIncludeTax: invoice.pricesIncludeTax,
    total: formatMoney(invoice.total, currency),
    paid: invoice.paid ? formatMoney(invoice.paid, currency) : null,
    refunded: invoice.refunded ? formatMoney(invoice.refunded, currency) : null,
    credited: invoice.credited ? formatMoney(invoice.credited, currency) : null,
    balance: formatMoney(invoice.balance, currency),
    isSettled: invoice.balance === 0,
    due: formatInput(invoice.balance, currency),
  }
}

/** The actions that an invoice allows; the services check it again. */
function listActions(invoice: InvoiceRecord) {
  const { kind, status, clientId, paid, refunded, refunding, credited, total, balance, sentAt } = invoice
  const isIssued = kind === 'invoice' && status !== 'draft' && status !== 'void'
  return {
    send: status !== 'void' && clientId !== null,
    remind: isIssued && balance > 0 && sentAt !== null && clientId !== null,
    issue: status === 'draft',
    pay: isIssued && balance > 0,
    refund: paid > refunded + refunding,
    credit: isIssued && credited < total,
    void: isIssued && paid === refunded && !credited,
    delete: status === 'draft',
  }
}

/** How it was last paid, other than online. `manual` doesn't say how. */
const findPaymentMethod = (entries: LedgerEntryRow[]): PaymentMethod =>
  entries.findLast(({ kind, method, isOnline }) => kind === 'payment' && method !== 'manual' && !isOnline)?.method ??
  'bank_transfer'

const entryLabels = { payment: 'Paid', refund: 'Refunded', correction: 'Corrected', dispute: 'Disputed' }

function toEntryView({ id, kind, amount, method, occurredAt }: LedgerEntryRow, timezone: string, currency: string) {
  return {
    id,
    hasReceipt: kind === 'payment',
    label: entryLabels[kind],
    amount: formatMoney(Math.abs(amount), currency),
    method: purchaseFields.paymentMethod.choices[method],
    date: formatDate(occurredAt, timezone),
  }
}
