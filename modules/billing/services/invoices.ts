import { AppError } from '#app/lib/errors.ts'
import { localDate, noonIn } from '#app/lib/time.ts'
import { cents } from '#app/lib/zod-types.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { assertNotReadOnly, getClient, lockClient } from '#modules/crm/index.ts'
import { lockCurrency } from '#tenants/accounts/accounts.ts'
import { isLapsed } from '#tenants/accounts/plans.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import {
  invoiceCreated,
  invoiceDeleted,
  invoiceIssued,
  invoiceRestored,
  invoiceUpdated,
  invoiceVoided,
} from '../events.ts'
import type { CreateInvoiceForm, InvoiceEdit, NewInvoice, NewPayment } from '../invoices/forms.ts'
import type { InvoiceRecord, PaymentRecord } from '../invoices/records.ts'
import { listInvoicedSessions } from '../queries/invoiced-sessions.ts'
import { getInvoice, getPayment } from '../queries/invoices.ts'
import type { InvoiceRow } from '../schema.ts'
import {
  assertSources,
  conflict,
  deleteLines,
  getTotals,
  insertLines,
  issue,
  lockInvoice,
  toDiscount,
  toIssued,
  type BillTo,
} from './invoice-rows.ts'
import { addToInvoice, releaseFromInvoice } from './invoiced-purchases.ts'
import { lockDefaults } from './settings.ts'
import { withoutUndefined } from './without-undefined.ts'

/** Issues an invoice, unless `draft`. Throws plan_limit, and not_found for the client, a product or a purchase. */
export async function createInvoice(ctx: WriteCtx, input: NewInvoice): Promise<InvoiceRecord> {
  return getInvoice(ctx, await addInvoice(ctx, input))
}

/** As `createInvoice`. Returns the id. */
async function addInvoice(ctx: WriteCtx, input: NewInvoice): Promise<number> {
  authorize(ctx, 'billing:invoice:write')
  await assertStorage(ctx)
  // In this order, in one round trip.
  const [, client] = await Promise.all([lockClient(ctx, input.clientId), getClient(ctx, input.clientId)])
  if (client.archivedAt || isLapsed(ctx)) await assertNotReadOnly(ctx, client.id)
  await assertSources(ctx, input.lines, { clientId: client.id })
  return insertInvoice(ctx, client, input)
}

/** As `createInvoice`, for what was checked before. The client is locked, and nobody once erased. Returns the id. */
export async function insertInvoice(
  ctx: WriteCtx,
  client: { id: number | null } & BillTo,
  input: Omit<NewInvoice, 'clientId'>,
): Promise<number> {
  const [currency, settings] = await Promise.all([lockCurrency(ctx), lockDefaults(ctx, { takesNumber: !input.draft })])
  const pricesIncludeTax = input.pricesIncludeTax ?? settings.pricesIncludeTax
  const discount = toDiscount(input.discount)
  const { amounts, ...totals } = getTotals({ lines: input.lines, ...discount, pricesIncludeTax, currency })
  const values = {
    clientId: client.id,
    currency,
    description: input.description,
    notes: input.notes,
    dueDate: input.dueDate ? localDate(input.dueDate, ctx.account.timezone) : null,
    pricesIncludeTax,
    ...discount,
    subtotal: totals.subtotal,
    discount: totals.discount,
    tax: totals.tax,
    total: totals.total,
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
  }
  const id = await insertRow(ctx, {
    table: 'invoice',
    name: input.draft ? 'billing.create-draft' : 'billing.create-invoice',
    row: input.draft ? values : { ...values, ...toIssued(ctx, { ...values, kind: 'invoice' }, settings, client) },
  })
  await insertLines(ctx, id, input.lines, amounts)
  await addToInvoice(ctx, { invoiceId: id, clientId: client.id, purchaseIds: input.purchaseIds })
  if (!input.draft) await publish(ctx, invoiceIssued, { invoiceId: id })
  await publish(ctx, invoiceCreated, { invoiceId: id })
  return id
}

/** An issued invoice of one line without tax. Throws not_found for the client. Source: api.md, POST /api/payments. */
export async function createPayment(
  ctx: WriteCtx,
  { clientId, amount, description, dueDate, currency }: NewPayment,
): Promise<PaymentRecord> {
  if (currency !== undefined && currency !== (await lockCurrency(ctx)))
    throw new AppError('validation_failed', `Only ${ctx.account.currency} is supported`, { field: 'currency' })
  const line = { description, quantity: '1', unitPrice: cents().parse(amount), taxRate: '0' }
  const id = await addInvoice(ctx, {
    clientId,
    description,
    notes: null,
    dueDate,
    pricesIncludeTax: false,
    lines: [line],
    draft: false,
    purchaseIds: [],
  })
  return getPayment(ctx, id)
}

/** From the dialog Create Invoice: `amount` is what the client pays, with the coach's tax in it. */
export async function createSimpleInvoice(
  ctx: WriteCtx,
  { clientId, amount, description, dueDate, notes }: CreateInvoiceForm,
  { draft }: { draft: boolean },
): Promise<InvoiceRecord> {
  await lockClient(ctx, clientId)
  const { taxRate } = await lockDefaults(ctx)
  return createInvoice(ctx, {
    clientId,
    description,
    notes,
    dueDate: dueDate ? noonIn(dueDate, ctx.account.timezone) : null,
    pricesIncludeTax: true,
    lines: [{ description, quantity: '1', unitPrice: amount, taxRate }],
    draft,
    purchaseIds: [],
  })
}

/** Changes a draft. Throws not_found, and conflict if it is issued, or was saved after `expectedVersion`. */
export async function updateInvoice(
  ctx: WriteCtx,
  id: number,
  input: InvoiceEdit,
  expectedVersion?: number,
): Promise<InvoiceRecord> {
  authorize(ctx, 'billing:invoice:write')
  await assertStorage(ctx)
  const row = await lockInvoice(ctx, id)
  assertSeen(row, expectedVersion)
  assertDraft(row)
  if (row.client) await assertNotReadOnly(ctx, row.client.id)
  const { lines, dueDate, discount: newDiscount, ...changes } = withoutUndefined(input)
  const current = await getInvoice(ctx, id)
  if (lines) await assertSources(ctx, lines, { clientId: current.clientId, current })
  ctx.em.assign(row, {
    ...changes,
    ...(newDiscount === undefined ? {} : toDiscount(newDiscount)),
    ...(dueDate === undefined ? {} : { dueDate: dueDate && localDate(dueDate, ctx.account.timezone) }),
  })
  const { amounts, ...totals } = getTotals({
    lines: lines ?? current.lines,
    discountPercent: row.discountPercent,
    discountAmount: row.discountAmount,
    pricesIncludeTax: row.pricesIncludeTax,
    currency: row.currency,
  })
  const { subtotal, discount, tax, total } = totals
  ctx.em.assign(row, { subtotal, discount, tax, total, version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  if (lines) {
    await deleteLines(ctx, id)
    await insertLines(ctx, id, lines, amounts)
  }
  await publish(ctx, invoiceUpdated, { invoiceId: id })
  return getInvoice(ctx, id)
}

/** Gives a draft its number. Does nothing if it has one. Throws not_found. */
export async function issueInvoice(ctx: WriteCtx, id: number): Promise<InvoiceRecord> {
  authorize(ctx, 'billing:invoice:write')
  const row = await lockInvoice(ctx, id)
  if (row.state === 'draft') await issue(ctx, row)
  return getInvoice(ctx, id)
}

/** Ends an invoice that nobody will pay; its number stays. Throws not_found, and conflict once money was received. */
export async function voidInvoice(ctx: WriteCtx, id: number): Promise<InvoiceRecord> {
  authorize(ctx, 'billing:invoice:write')
  const row = await lockInvoice(ctx, id)
  if (row.state === 'draft') throw conflict('A draft can be deleted instead.')
  if (row.paid > row.refunded) throw conflict('Money was received for this invoice. Refund it first.')
  if (row.kind === 'credit_note') throw conflict('A credit note can’t be made void.')
  if (row.credited) throw conflict('This invoice has a credit note.')
  if (row.state !== 'void') {
    ctx.em.assign(row, { state: 'void', version: row.version + 1, updatedAt: ctx.now() })
    await ctx.em.flush()
    await releaseFromInvoice(ctx, id)
    await publish(ctx, invoiceVoided, { invoiceId: id })
  }
  return getInvoice(ctx, id)
}

/** Moves a draft to the trash. Throws not_found, also the second time, and conflict for an issued invoice. */
export async function deleteInvoice(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'billing:invoice:write')
  const row = await lockInvoice(ctx, id)
  if (row.state !== 'draft') throw conflict('An issued invoice stays in the books. Void it instead.')
  row.deletedAt = ctx.now()
  await ctx.em.flush()
  await releaseFromInvoice(ctx, id)
  await publish(ctx, invoiceDeleted, { invoiceId: id })
}

/** Takes a draft out of the trash. Does nothing if it isn't there. Throws not_found. */
export async function restoreInvoice(ctx: WriteCtx, id: number): Promise<InvoiceRecord> {
  authorize(ctx, 'billing:invoice:write')
  const row = await lockInvoice(ctx, id, { inTrash: true })
  if (row.deletedAt) {
    row.deletedAt = null
    await ctx.em.flush()
    await releaseInvoicedSessions(ctx, id)
    await publish(ctx, invoiceRestored, { invoiceId: id })
  }
  return getInvoice(ctx, id)
}

/** Sessions that were put on another invoice while this draft was in the trash are no longer those of its lines. */
async function releaseInvoicedSessions(ctx: WriteCtx, invoiceId: number): Promise<void> {
  const ids = (await getInvoice(ctx, invoiceId)).lines.flatMap(({ appointmentId }) => appointmentId ?? [])
  const taken = await listInvoicedSessions(ctx, { ids, exceptInvoiceId: invoiceId })
  if (!taken.length) return
  await ctx.query({
    name: 'billing.release-sessions',
    text: `update invoice_line set appointment_id = null
      where coach_id = $1 and invoice_id = $2 and appointment_id = any($3::bigint[])`,
    values: [ctx.coachId, invoiceId, taken.map(({ appointmentId }) => appointmentId)],
  })
}

function assertDraft({ state }: InvoiceRow): void {
  if (state !== 'draft') throw conflict('This invoice is issued. Issue a credit note and a new invoice instead.')
}

function assertSeen({ version }: InvoiceRow, seen: number | undefined): void {
  if (seen !== undefined && seen !== version)
    throw new AppError('conflict', 'This invoice was changed in another tab.', { subject: 'invoice' })
}
