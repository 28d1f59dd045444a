import { AppError } from '#app/lib/errors.ts'
import { formatMoney } from '#app/lib/money.ts'
import { publish } from '#modules/core/events.ts'
import { runHook, soldRefundFailed } from '#modules/core/hooks.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { paymentReceived, paymentRefunded } from '../events.ts'
import { sendRefund, type RefundSource } from '../payment-provider.ts'
import type { InvoiceRow } from '../schema.ts'
import { conflict, getBalance, invalidAmount, lockInvoice } from './invoice-rows.ts'
import { completeInvoicedPurchases, followRefunds } from './invoiced-purchases.ts'
import { recordEntry } from './ledger.ts'
import { logMoney } from './log-money.ts'
import { paymentQueue, type PaymentJob } from './payment-emails.ts'
import { sendReceipt } from './receipt-emails.ts'

// Payments of an invoice through a payment provider, for the module that speaks with it. Amounts in cents.
// `externalId`: the provider's id of what is booked; the same id is booked once, so all of these may be repeated.

const method = 'stripe'

/**
 * Money that came in. Returns what is more than was left to pay: it is booked too, and should go back. Throws
 * not_found.
 */
export async function recordOnlinePayment(
  ctx: WriteCtx,
  id: number,
  { amount, externalId, paidAt }: { amount: number; externalId: string; paidAt: Date },
): Promise<{ isNew: boolean; excess: number }> {
  authorize(ctx, 'billing:invoice:write')
  const row = await lockInvoice(ctx, id)
  if (await isBooked(ctx, externalId)) return { isNew: false, excess: 0 }
  const occurredAt = paidAt > ctx.now() ? ctx.now() : paidAt
  const due = getBalance(row)
  const received = Math.min(amount, due)
  const entry = {
    kind: 'payment',
    currency: row.currency,
    method,
    occurredAt,
    clientId: row.client?.id ?? null,
  } as const
  const entryId =
    received > 0 ? await recordEntry(ctx, { ...entry, amount: received, invoiceId: id, externalId }) : null
  if (amount > received)
    await recordEntry(ctx, {
      ...entry,
      amount: amount - received,
      externalId: received ? toExcessId(externalId) : externalId,
    })
  if (received > 0) await applyPayment(ctx, row, { received, isPaid: received === due, occurredAt, externalId })
  await logMoney(ctx, row, { type: 'payment_received', title: 'Payment received', amount, direction: 'from' })
  // A client who paid online expects one.
  if (entryId !== null) {
    await sendReceipt(ctx, { entryId, clientId: entry.clientId })
    const job: PaymentJob = { coachId: ctx.coachId, entryId }
    await ctx.enqueue(paymentQueue, job)
  }
  return { isNew: true, excess: amount - received }
}

/** The balance of an invoice, locked. Throws not_found. */
export async function lockBalance(ctx: WriteCtx, id: number): Promise<number> {
  authorize(ctx, 'billing:invoice:read')
  return getBalance(await lockInvoice(ctx, id))
}

const toExcessId = (externalId: string): string => `${externalId}:excess`

async function isBooked(ctx: WriteCtx, externalId: string): Promise<boolean> {
  const rows = await ctx.query({
    name: 'billing.is-booked',
    text: 'select id from ledger_entry where coach_id = $1 and external_id = $2',
    values: [ctx.coachId, externalId],
  })
  return rows.length > 0
}

async function applyPayment(
  ctx: WriteCtx,
  row: InvoiceRow,
  {
    received,
    isPaid,
    occurredAt,
    externalId,
  }: { received: number; isPaid: boolean; occurredAt: Date; externalId: string },
): Promise<void> {
  ctx.em.assign(row, {
    state: 'open',
    paid: row.paid + received,
    stripePaymentIntentId: externalId,
    ...(isPaid ? { paidAt: occurredAt } : {}),
    version: row.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  if (isPaid)
    await completeInvoicedPurchases(ctx, { invoiceId: row.id, method, paidAt: occurredAt, paymentIntentId: externalId })
  await publish(ctx, paymentReceived, { invoiceId: row.id, amount: received, isPaid })
}

/**
 * The sum that was paid online and neither sent back nor taken back; null if nothing was ever paid online. Refunds on
 * their way count as sent back.
 */
export async function getOnlinePaid(
  ctx: WriteCtx,
  { id, refunding }: Pick<InvoiceRow, 'id' | 'refunding'>,
): Promise<number | null> {
  const [row] = await ctx.query<{ paid: number | null }>({
    name: 'billing.online-paid',
    text: `select sum(amount)::bigint as paid from ledger_entry
      where coach_id = $1 and invoice_id = $2 and external_id is not null`,
    values: [ctx.coachId, id],
  })
  return row!.paid === null ? null : row!.paid - refunding
}

const noOnlinePaymentLeft = 'Nothing that was paid online is left. Choose how else you paid the money back.'

/**
 * Asks the provider to send money back. The invoice is locked. Throws validation_failed, and conflict without a
 * provider.
 */
export async function requestRefund(ctx: WriteCtx, row: InvoiceRow, amount: number): Promise<void> {
  const most = (await getOnlinePaid(ctx, row)) ?? 0
  if (most <= 0) throw new AppError('validation_failed', noOnlinePaymentLeft, { field: 'method' })
  if (amount > most) throw invalidAmount(`At most ${formatMoney(most, row.currency)} can go back to the card`)
  await changeRefunding(ctx, row, amount)
  if (!(await runHook(ctx, sendRefund, { invoiceId: row.id, amount })))
    throw conflict('Online payments are not available now. Choose how else you paid the money back.')
}

async function changeRefunding(ctx: WriteCtx, row: InvoiceRow, by: number): Promise<void> {
  ctx.em.assign(row, { refunding: row.refunding + by, version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
}

/**
 * Money that went back. What is more than the invoice has is booked without it, and so is what it never got. Throws
 * not_found.
 */
export async function recordOnlineRefund(
  ctx: WriteCtx,
  id: number,
  { amount, externalId, source }: { amount: number; externalId: string; source: RefundSource },
): Promise<void> {
  authorize(ctx, 'billing:invoice:write')
  const row = await lockInvoice(ctx, id)
  if (source === 'invoice') await changeRefunding(ctx, row, -amount)
  const most = source === 'excess' ? 0 : amount
  if (!(await takeFromInvoice(ctx, row, { kind: 'refund', amount, most, externalId }))) return
  await logMoney(ctx, row, { type: 'payment_refunded', title: 'Payment refunded', amount, direction: 'to' })
  await publish(ctx, paymentRefunded, { invoiceId: id, amount })
}

/** A refund that was on its way doesn't take place. */
export async function cancelOnlineRefund(ctx: WriteCtx, id: number, amount: number): Promise<void> {
  authorize(ctx, 'billing:invoice:write')
  const row = await lockInvoice(ctx, id)
  await changeRefunding(ctx, row, -amount)
  await tellFailedRefund(ctx, row, amount)
}

async function tellFailedRefund(ctx: WriteCtx, row: InvoiceRow, amount: number): Promise<void> {
  await logMoney(ctx, row, { type: 'refund_failed', title: 'Refund failed', amount, direction: 'to' })
  const [sale] = await ctx.query<{ id: number }>({
    name: 'billing.booking-sale-of-invoice',
    text: `select id from sale where coach_id = $1 and invoice_id = $2 and source = 'booking'`,
    values: [ctx.coachId, row.id],
  })
  if (sale) await runHook(ctx, soldRefundFailed, { saleId: sale.id })
}

/**
 * Reverses a booked refund that the client's bank has refused. `refundId`: the id that it is booked under.
 */
export async function reverseOnlineRefund(ctx: WriteCtx, id: number, refundId: string): Promise<void> {
  authorize(ctx, 'billing:invoice:write')
  const row = await lockInvoice(ctx, id)
  const booked = await ctx.query<{ externalId: string; amount: number; clientId: number | null; isOfInvoice: boolean }>(
    {
      name: 'billing.booked-refund',
      text: `select external_id as "externalId", -amount as amount, client_id as "clientId",
        invoice_id is not null as "isOfInvoice"
      from ledger_entry where coach_id = $1 and external_id = any($2::text[])`,
      values: [ctx.coachId, [refundId, toExcessId(refundId)]],
    },
  )
  const entry = { kind: 'correction', currency: row.currency, method, occurredAt: ctx.now() } as const
  for (const { externalId, amount, clientId, isOfInvoice } of booked) {
    const reversal = { ...entry, amount, clientId, externalId: `${externalId}:failed` }
    const isNew = await recordEntry(ctx, isOfInvoice ? { ...reversal, invoiceId: id } : reversal)
    if (!isNew || !isOfInvoice) continue
    ctx.em.assign(row, { refunded: row.refunded - amount, version: row.version + 1, updatedAt: ctx.now() })
    await ctx.em.flush()
    await followRefunds(ctx, row)
    await tellFailedRefund(ctx, row, amount)
  }
}

/** A payment that the client's bank took back finally. */
export async function recordDispute(
  ctx: WriteCtx,
  id: number,
  { amount, externalId }: { amount: number; externalId: string },
): Promise<void> {
  authorize(ctx, 'billing:invoice:write')
  const row = await lockInvoice(ctx, id)
  if (!(await takeFromInvoice(ctx, row, { kind: 'dispute', amount, most: amount, externalId }))) return
  await logMoney(ctx, row, { type: 'payment_disputed', title: 'Payment lost', amount, direction: 'to' })
}

/**
 * Books money that was paid back: from the invoice as far as it has been paid, at most `most`, the rest from what the
 * client has paid too much, or from no client (decision 0121). Other invoices and purchases keep what was paid for them,
 * so that it can go back, too. Returns false if it is booked already.
 */
async function takeFromInvoice(
  ctx: WriteCtx,
  row: InvoiceRow,
  { kind, amount, most, externalId }: { kind: 'refund' | 'dispute'; amount: number; most: number; externalId: string },
): Promise<boolean> {
  if (await isBooked(ctx, externalId)) return false
  const ofInvoice = Math.max(Math.min(most, row.paid - row.refunded - row.refunding), 0)
  const clientId = row.client?.id ?? null
  const entry = { kind, currency: row.currency, method, occurredAt: ctx.now(), clientId } as const
  if (ofInvoice > 0) {
    await recordEntry(ctx, { ...entry, amount: -ofInvoice, invoiceId: row.id, externalId })
    ctx.em.assign(row, { refunded: row.refunded + ofInvoice, version: row.version + 1, updatedAt: ctx.now() })
    await ctx.em.flush()
    await followRefunds(ctx, row)
  }
  const rest = amount - ofInvoice
  if (rest > 0)
    await recordEntry(ctx, {
      ...entry,
      clientId: clientId !== null && (await getExcessPaid(ctx, clientId)) >= rest ? clientId : null,
      amount: -rest,
      externalId: ofInvoice > 0 ? toExcessId(externalId) : externalId,
    })
  return true
}

/** The cents that a client has paid beyond invoices and purchases. */
async function getExcessPaid(ctx: WriteCtx, clientId: number): Promise<number> {
  const [row] = await ctx.query<{ excess: number }>({
    name: 'billing.excess-paid',
    text: `select coalesce(sum(amount), 0)::bigint as excess from ledger_entry
      where coach_id = $1 and client_id = $2 and invoice_id is null and purchase_id is null`,
    values: [ctx.coachId, clientId],
  })
  return row!.excess
}
