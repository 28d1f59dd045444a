import { isWholeCurrency } from '#app/lib/currencies.ts'
import { AppError } from '#app/lib/errors.ts'
import { formatMoney } from '#app/lib/money.ts'
import { localDate, noonIn } from '#app/lib/time.ts'
import { publish } from '#modules/core/events.ts'
import { assertNotReadOnly } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { invoiceUpdated, paymentReceived, paymentRefunded } from '../events.ts'
import type { PaymentMethod } from '../fields.ts'
import type { PaymentEdit, ReceivedPayment, Refund } from '../invoices/forms.ts'
import type { InvoiceRecord, PaymentRecord } from '../invoices/records.ts'
import { getInvoice, getPayment } from '../queries/invoices.ts'
import type { InvoiceRow } from '../schema.ts'
import {
  assertNotVoid,
  getBalance,
  conflict,
  getTotals,
  insertCreditNote,
  insertLines,
  invalidAmount,
  issue,
  lockInvoice,
} from './invoice-rows.ts'
import { assertPayable } from './currency.ts'
import { completeInvoicedPurchases, followRefunds, releaseFromInvoice } from './invoiced-purchases.ts'
import { computeTotals, spread } from '../invoices/totals.ts'
import { recordEntry } from './ledger.ts'
import { logMoney } from './log-money.ts'
import { getOnlinePaid, requestRefund } from './online-payments.ts'
import { sendReceipt } from './receipt-emails.ts'
import { withoutUndefined } from './without-undefined.ts'

/** Records a payment, all or a part. Throws not_found, conflict, and validation_failed for more than is left to pay. */
export async function recordPayment(ctx: WriteCtx, id: number, input: ReceivedPayment): Promise<InvoiceRecord> {
  authorize(ctx, 'billing:invoice:write')
  await receive(ctx, await lockInvoice(ctx, id), input)
  return getInvoice(ctx, id)
}

/** As `recordPayment`, with a date of the coach's calendar: today is now, any other date is its noon. */
export async function recordPaymentOnDate(
  ctx: WriteCtx,
  id: number,
  { date, ...payment }: { amount: number; method: PaymentMethod; date: string; sendReceipt: boolean },
): Promise<InvoiceRecord> {
  const { timezone } = ctx.account
  const today = localDate(ctx.now(), timezone)
  if (date > today) throw new AppError('validation_failed', 'Use today or an earlier date', { field: 'date' })
  return recordPayment(ctx, id, { ...payment, ...(date === today ? {} : { paidAt: noonIn(date, timezone) }) })
}

async function receive(ctx: WriteCtx, row: InvoiceRow, payment: ReceivedPayment): Promise<void> {
  const { amount, method, paidAt, externalId } = payment
  if (row.kind === 'credit_note' || row.state === 'draft')
    throw conflict('Only an issued invoice can be paid. Issue it first.')
  assertNotVoid(row)
  const due = getBalance(row)
  if (due === 0) throw conflict('This invoice is paid already.')
  if (paidAt && paidAt > ctx.now())
    throw new AppError('validation_failed', 'Use a time in the past', { field: 'paidAt' })
  const received = amount ?? due
  if (received === 0) throw invalidAmount('Enter an amount above 0')
  assertPayable(received, row.currency)
  if (received > due) throw invalidAmount(`Only ${formatMoney(due, row.currency)} is left to pay`)
  const clientId = row.client?.id ?? null
  const occurredAt = paidAt ?? ctx.now()
  const entryId = await recordEntry(ctx, {
    kind: 'payment',
    amount: received,
    currency: row.currency,
    method,
    occurredAt,
    clientId,
    invoiceId: row.id,
    ...(externalId === undefined ? {} : { externalId }),
  })
  if (entryId === null) return
  const isPaid = received === due
  ctx.em.assign(row, {
    state: 'open',
    paid: row.paid + received,
    ...(isPaid ? { paidAt: occurredAt } : {}),
    version: row.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  if (isPaid) await completeInvoicedPurchases(ctx, { invoiceId: row.id, method, paidAt: occurredAt })
  await logMoney(ctx, row, { type: 'payment_received', title: 'Payment received', amount: received, direction: 'from' })
  // A client who paid at the provider expects one.
  if (payment.sendReceipt ?? externalId !== undefined) await sendReceipt(ctx, { entryId, clientId })
  await publish(ctx, paymentReceived, { invoiceId: row.id, amount: received, isPaid })
}

/**
 * Records that money went back to the client; what was paid online goes back the same way, unless another method is
 * chosen. Throws not_found, conflict, validation_failed for more than was paid.
 */
export async function refundInvoice(
  ctx: WriteCtx,
  id: number,
  { amount, method: chosen }: Refund,
): Promise<InvoiceRecord> {
  authorize(ctx, 'billing:invoice:write')
  const row = await lockInvoice(ctx, id)
  const refundable = row.paid - row.refunded - row.refunding
  if (refundable === 0) throw conflict('Nothing of this invoice can be refunded.')
  const refunded = amount ?? refundable
  if (refunded === 0) throw invalidAmount('Enter an amount above 0')
  assertPayable(refunded, row.currency)
  if (refunded > refundable) throw invalidAmount(`At most ${formatMoney(refundable, row.currency)} can be refunded`)
  const onlinePaid = await getOnlinePaid(ctx, row)
  const method = chosen ?? (refunded <= (onlinePaid ?? 0) ? 'stripe' : 'other')
  if (method === 'stripe' && onlinePaid !== null) {
    await requestRefund(ctx, row, refunded)
    return getInvoice(ctx, id)
  }
  await recordEntry(ctx, {
    kind: 'refund',
    amount: -refunded,
    currency: row.currency,
    method,
    occurredAt: ctx.now(),
    clientId: row.client?.id ?? null,
    invoiceId: row.id,
  })
  ctx.em.assign(row, { refunded: row.refunded + refunded, version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await followRefunds(ctx, row)
  await logMoney(ctx, row, { type: 'payment_refunded', title: 'Payment refunded', amount: refunded, direction: 'to' })
  await publish(ctx, paymentRefunded, { invoiceId: id, amount: refunded })
  return getInvoice(ctx, id)
}

/**
 * Issues a credit note: it reduces what is left to pay, or documents a refund. `amount`: cents with tax; all that isn't
 * credited yet unless given. Its tax is in proportion to the invoice's. Throws not_found, conflict, validation_failed.
 */
export async function createCreditNote(
  ctx: WriteCtx,
  id: number,
  { amount, description }: { amount?: number | undefined; description?: string | undefined },
): Promise<InvoiceRecord> {
  authorize(ctx, 'billing:invoice:write')
  await assertStorage(ctx)
  const invoice = await lockInvoice(ctx, id)
  if (invoice.kind === 'credit_note' || invoice.state === 'draft')
    throw conflict('Only an issued invoice can be credited.')
  assertNotVoid(invoice)
  const creditable = invoice.total - invoice.credited
  const total = amount ?? creditable
  if (creditable === 0) throw conflict('This invoice is credited already.')
  if (total === 0) throw invalidAmount('Enter an amount above 0')
  assertPayable(total, invoice.currency)
  if (total > creditable) throw invalidAmount(`At most ${formatMoney(creditable, invoice.currency)} can be credited`)
  const now = ctx.now()
  const text = description ?? `Credit for invoice ${invoice.number}`
  const lines = splitByTaxRate(await getInvoice(ctx, id), total).map(({ rate, amount: unitPrice }) => ({
    description: text,
    quantity: '1',
    unitPrice,
    taxRate: rate,
  }))
  const { amounts, ...totals } = getTotals({ lines, pricesIncludeTax: true, currency: invoice.currency })
  const note = await insertCreditNote(ctx, {
    kind: 'credit_note',
    clientId: invoice.client?.id ?? null,
    creditedInvoiceId: id,
    currency: invoice.currency,
    description: text,
    pricesIncludeTax: true,
    subtotal: totals.subtotal,
    discount: 0,
    tax: totals.tax,
    total: totals.total,
  })
  await insertLines(ctx, note.id, lines, amounts)
  await issue(ctx, note, { name: invoice.billToName ?? null, email: invoice.billToEmail ?? null })
  const isSettled = !invoice.paidAt && getBalance(invoice) <= total
  ctx.em.assign(invoice, {
    credited: invoice.credited + total,
    ...(isSettled ? { paidAt: now, state: 'open' } : {}),
    version: invoice.version + 1,
    updatedAt: now,
  })
  await ctx.em.flush()
  if (isSettled) await settlePurchases(ctx, invoice, now)
  await publish(ctx, invoiceUpdated, { invoiceId: id })
  return getInvoice(ctx, note.id)
}

/**
 * Changes the status, description or due date. `completed` records that all that was left to pay is paid. Throws
 * not_found, and conflict for what a paid, sent or void invoice doesn't allow. Source: api.md, PATCH
 * /api/payments/{id}.
 */
export async function updatePayment(ctx: WriteCtx, id: number, input: PaymentEdit): Promise<PaymentRecord> {
  authorize(ctx, 'billing:invoice:write')
  await getPayment(ctx, id)
  const row = await lockInvoice(ctx, id)
  const { status, description, dueDate } = withoutUndefined(input)
  if (row.client && (description !== undefined || dueDate !== undefined)) await assertNotReadOnly(ctx, row.client.id)
  const before = (await getPayment(ctx, id)).status
  const date = dueDate && localDate(dueDate, ctx.account.timezone)
  const isRenamed = description !== undefined && description !== row.description
  const isMoved = date !== undefined && date !== row.dueDate
  if (isRenamed || isMoved) {
    assertNotSeen(row)
    await discardFile(ctx, id)
  }
  if (isRenamed) await changeDescription(ctx, row, description)
  if (isMoved) ctx.em.assign(row, { dueDate: date })
  if (status !== undefined && status !== before) {
    if (before !== 'pending' && before !== 'failed')
      throw conflict(before === 'void' ? 'This invoice is void.' : 'A completed payment can only be refunded.')
    if (status !== 'completed') ctx.em.assign(row, { state: status === 'failed' ? 'failed' : 'open' })
  }
  ctx.em.assign(row, { version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  if (status === 'completed' && before !== 'completed') await receive(ctx, row, { method: 'other' })
  await publish(ctx, invoiceUpdated, { invoiceId: id })
  return getPayment(ctx, id)
}

/** An invoice that the client has stays as it is, on paper and on its page (decision 0120). */
function assertNotSeen(row: InvoiceRow): void {
  assertNotVoid(row)
  if (row.sentAt) throw conflict('This invoice was sent. Issue a credit note and a new invoice instead.')
  if (row.paid) throw conflict('This invoice was paid. Issue a credit note and a new invoice instead.')
}

async function changeDescription(ctx: WriteCtx, row: InvoiceRow, description: string): Promise<void> {
  await ctx.query({
    name: 'billing.rename-line',
    text: `update invoice_line set description = $4
      where coach_id = $1 and invoice_id = $2 and description = $3`,
    values: [ctx.coachId, row.id, row.description, description],
  })
  ctx.em.assign(row, { description })
}

/** The client doesn't have the invoice yet: its file is printed anew. */
async function discardFile(ctx: WriteCtx, invoiceId: number): Promise<void> {
  await ctx.query({
    name: 'billing.discard-file',
    text: 'delete from invoice_file where coach_id = $1 and invoice_id = $2 and ledger_entry_id is null',
    values: [ctx.coachId, invoiceId],
  })
}

/** Purchases of an invoice that a credit note settled: bought if something was paid, otherwise pending again. */
async function settlePurchases(ctx: WriteCtx, { id, paid, refunded }: InvoiceRow, at: Date): Promise<void> {
  if (paid > refunded) await completeInvoicedPurchases(ctx, { invoiceId: id, method: 'other', paidAt: at })
  else await releaseFromInvoice(ctx, id)
}

/** Splits `total` over the tax rates of an invoice, in proportion to what each of them costs with tax. */
function splitByTaxRate(invoice: InvoiceRecord, total: number): { rate: string; amount: number }[] {
  const { taxes, untaxed } = computeTotals(invoice)
  const parts = [...taxes.map(({ rate, net, tax }) => ({ rate, gross: net + tax })), { rate: '0', gross: untaxed }]
  const unit = isWholeCurrency(invoice.currency) ? 100 : 1
  const shares = spread(
    BigInt(total / unit),
    parts.map(({ gross }) => BigInt(gross)),
  )
  return parts
    .map(({ rate }, index) => ({ rate, amount: Number(shares[index]) * unit }))
    .filter(({ amount }) => amount > 0)
}
