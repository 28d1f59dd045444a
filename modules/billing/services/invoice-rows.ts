import { AppError } from '#app/lib/errors.ts'
import { formatMoney, maxCents } from '#app/lib/money.ts'
import { addDays, localDate } from '#app/lib/time.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { assertNotReadOnly, getClient, lockClient } from '#modules/crm/index.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { formatIssuer } from '../documents/issuer.ts'
import { invoiceIssued } from '../events.ts'
import type { Discount, NewInvoice } from '../invoices/forms.ts'
import { invoiceRecord, type InvoiceRecord } from '../invoices/records.ts'
import { computeTotals } from '../invoices/totals.ts'
import { listInvoicedSessions, listSessions } from '../queries/invoiced-sessions.ts'
import { getProduct } from '../queries/products.ts'
import { Invoice, type InvoiceRow } from '../schema.ts'
import { assertPayable } from './currency.ts'
import { formatNumber, lockDefaults, type InvoiceDefaults } from './settings.ts'

// The rows of invoices, for the services of invoices and of their payments.

export type LineInput = NewInvoice['lines'][number]

export function getTotals(input: Parameters<typeof computeTotals>[0]) {
  const { currency = 'usd' } = input
  for (const { unitPrice } of input.lines) assertPayable(unitPrice, currency)
  if (input.discountAmount != null) assertPayable(input.discountAmount, currency, 'discount')
  const totals = computeTotals(input)
  if (input.discountAmount != null && input.discountAmount > totals.subtotal)
    throw new AppError('validation_failed', 'The discount is larger than the invoice', { field: 'discount' })
  if (totals.total > maxCents) throw invalidAmount(`An invoice can be at most ${formatMoney(maxCents, currency)}`)
  return totals
}

export const toDiscount = (discount: Discount | null | undefined) => ({
  discountPercent: discount && 'percent' in discount ? discount.percent : null,
  discountAmount: discount && 'amount' in discount ? discount.amount : null,
})

/**
 * Throws not_found for a product or a session that the client doesn't have, and conflict for a session on another
 * invoice. The client is locked. `current`: the draft, which keeps what is on it already.
 */
export async function assertSources(
  ctx: WriteCtx,
  lines: LineInput[],
  { clientId, current }: { clientId: number | null; current?: Pick<InvoiceRecord, 'id' | 'lines'> },
): Promise<void> {
  const own = current?.lines ?? []
  const products = new Set(lines.flatMap((line) => line.productId ?? []))
  for (const { productId } of own) if (productId) products.delete(productId)
  for (const productId of products) await getProduct(ctx, productId)
  const sessions = lines.flatMap((line) => line.appointmentId ?? [])
  if (new Set(sessions).size < sessions.length) throw conflict('A session is on this invoice twice.')
  const ids = sessions.filter((id) => !own.some(({ appointmentId }) => appointmentId === id))
  if (!ids.length) return
  const completed = new Set(clientId === null ? [] : (await listSessions(ctx, clientId)).map(({ id }) => id))
  if (ids.some((id) => !completed.has(id))) throw new AppError('not_found', 'Session not found', { subject: 'session' })
  const [invoiced] = await listInvoicedSessions(ctx, { ids, exceptInvoiceId: current?.id ?? 0 })
  if (invoiced) throw conflict(`A session is on ${invoiced.number ?? 'another draft'} already.`)
}

/** `values`: by column, besides the times. */
export async function insertCreditNote(ctx: WriteCtx, values: Record<string, unknown>): Promise<InvoiceRow> {
  const now = ctx.now()
  const row = { ...values, createdAt: now, updatedAt: now }
  const id = await insertRow(ctx, { table: 'invoice', name: 'billing.create-credit-note', row })
  return ctx.em.findOneOrFail(Invoice, { coachId: ctx.coachId, id })
}

export async function insertLines(
  ctx: WriteCtx,
  invoiceId: number,
  lines: LineInput[],
  amounts: number[],
): Promise<void> {
  const rows = lines.map(
    (_, index) =>
      `($1, $2, ${index + 1}, ${Array.from({ length: 7 }, (_, field) => `$${3 + index * 7 + field}`).join(', ')})`,
  )
  const text = `insert into invoice_line (coach_id, invoice_id, position, description, quantity, unit_price, tax_rate,
      amount, product_id, appointment_id) values ${rows.join(', ')}`
  const values = [
    ctx.coachId,
    invoiceId,
    ...lines.flatMap(({ description, quantity, unitPrice, taxRate, productId, appointmentId }, index) => [
      description,
      quantity,
      unitPrice,
      taxRate,
      amounts[index],
      productId ?? null,
      appointmentId ?? null,
    ]),
  ]
  // Most invoices have one line: it is sent with the next statement.
  await (lines.length === 1 ? ctx.defer({ name: 'billing.add-line', text, values }) : ctx.query({ text, values }))
}

export async function deleteLines(ctx: WriteCtx, invoiceId: number): Promise<void> {
  await ctx.query({
    name: 'billing.delete-lines',
    text: 'delete from invoice_line where coach_id = $1 and invoice_id = $2',
    values: [ctx.coachId, invoiceId],
  })
}

/** Locks the client, then the invoice. `inTrash`: also finds a draft in the trash. */
export async function lockInvoice(ctx: WriteCtx, id: number, { inTrash = false } = {}): Promise<InvoiceRow> {
  const [row] = await ctx.query<{ clientId: number | null }>({
    name: 'billing.invoice-client',
    text: 'select client_id as "clientId" from invoice where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  if (!row) throw invoiceRecord.notFound()
  if (row.clientId !== null) await lockClient(ctx, row.clientId)
  return lockRow(ctx, invoiceRecord, Invoice, { coachId: ctx.coachId, id, ...(inTrash ? {} : { deletedAt: null }) })
}

export type BillTo = { name: string | null; email: string | null }

/** Gives it its number and keeps the client's name and email of today. `billTo`: those of the credited invoice. */
export async function issue(ctx: WriteCtx, row: InvoiceRow, billTo?: BillTo): Promise<void> {
  if (!row.client && !billTo) throw conflict('The client of this draft was erased.')
  if (!billTo) await assertNotReadOnly(ctx, row.client!.id)
  const person = billTo ?? (await getClient(ctx, row.client!.id))
  const settings = await lockDefaults(ctx, { takesNumber: true })
  ctx.em.assign(row, {
    ...toIssued(ctx, row, settings, person),
    version: row.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  await publish(ctx, invoiceIssued, { invoiceId: row.id })
}

/** The columns that issuing fills in. `settings` have the number. */
export function toIssued(
  ctx: WriteCtx,
  { kind, total, dueDate }: Pick<InvoiceRow, 'kind' | 'total' | 'dueDate'>,
  settings: InvoiceDefaults,
  { name, email }: BillTo,
) {
  const today = localDate(ctx.now(), ctx.account.timezone)
  return {
    state: 'open',
    number: formatNumber(settings),
    issueDate: today,
    dueDate: dueDate ?? (kind === 'invoice' ? addDays(today, settings.paymentDays) : null),
    billToName: name,
    billToEmail: email,
    issuedBy: formatIssuer(ctx.account, settings),
    taxName: settings.taxName,
    footer: settings.invoiceFooter ?? null,
    paidAt: total === 0 ? ctx.now() : null,
  } as const
}

export function assertNotVoid({ state }: InvoiceRow): void {
  if (state === 'void') throw conflict('This invoice is void.')
}

export const conflict = (message: string) => new AppError('conflict', message, { subject: 'payment' })

export const invalidAmount = (message: string) => new AppError('validation_failed', message, { field: 'amount' })

/** The amount that is left to pay, in cents, as `balanceSql`. */
export function getBalance({ kind, state, paidAt, total, credited, paid, refunded }: InvoiceRow): number {
  if (kind === 'credit_note' || paidAt || (state !== 'open' && state !== 'failed')) return 0
  return Math.max(total - credited - paid + refunded, 0)
}
