import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { purchaseUpdated } from '../events.ts'
import type { PaymentMethod } from '../fields.ts'
import { purchase as purchaseRecord } from '../records.ts'

/** Puts pending purchases of the client on an invoice. Throws not_found and conflict. The client is locked. */
export async function addToInvoice(
  ctx: WriteCtx,
  { invoiceId, clientId, purchaseIds }: { invoiceId: number; clientId: number | null; purchaseIds: number[] },
): Promise<void> {
  if (!purchaseIds.length) return
  const purchases = await ctx.query<{ id: number; status: string; invoiceId: number | null }>({
    name: 'billing.lock-invoiced',
    text: `select id, status, invoice_id as "invoiceId" from purchase
      where coach_id = $1 and client_id is not distinct from $2 and id = any($3::bigint[])
        and deleted_at is null
      order by id for update`,
    values: [ctx.coachId, clientId, purchaseIds],
  })
  if (purchases.length < new Set(purchaseIds).size) throw purchaseRecord.notFound()
  if (purchases.some(({ status, invoiceId: other }) => status !== 'pending' || other !== null))
    throw new AppError('conflict', 'Only a pending purchase can be invoiced, and only once.', { subject: 'purchase' })
  await ctx.query({
    name: 'billing.add-to-invoice',
    text: `update purchase set invoice_id = $2, version = version + 1, updated_at = $4
      where coach_id = $1 and id = any($3::bigint[])`,
    values: [ctx.coachId, invoiceId, purchaseIds, ctx.now()],
  })
}

/** The purchases on an invoice are pending again and on none. */
export async function releaseFromInvoice(ctx: WriteCtx, invoiceId: number): Promise<void> {
  await ctx.query({
    name: 'billing.release-from-invoice',
    text: `update purchase set invoice_id = null, status = 'pending', version = version + 1, updated_at = $3
      where coach_id = $1 and invoice_id = $2`,
    values: [ctx.coachId, invoiceId, ctx.now()],
  })
}

/** The invoice is paid, and so are its purchases. The money is the invoice's: they book none. */
export async function completeInvoicedPurchases(
  ctx: WriteCtx,
  {
    invoiceId,
    method,
    paidAt,
    paymentIntentId = null,
  }: { invoiceId: number; method: PaymentMethod; paidAt: Date; paymentIntentId?: string | null },
): Promise<void> {
  const purchases = await ctx.query<{ id: number }>({
    name: 'billing.complete-invoiced',
    text: `update purchase set status = 'completed', payment_method = $3, purchased_at = $4,
        stripe_payment_intent_id = $6, version = version + 1, updated_at = $5
      where coach_id = $1 and invoice_id = $2 and status = 'pending' and deleted_at is null returning id`,
    values: [ctx.coachId, invoiceId, method, paidAt, ctx.now(), paymentIntentId],
  })
  for (const { id } of purchases) await publish(ctx, purchaseUpdated, { purchaseId: id, fields: ['status'] })
}

/**
 * The purchases of an invoice are refunded when all that was paid for it went back, and bought again when it didn't
 * after all. They book nothing.
 */
export async function followRefunds(
  ctx: WriteCtx,
  { id: invoiceId, paid, refunded }: { id: number; paid: number; refunded: number },
): Promise<void> {
  const [from, to] = paid > 0 && refunded >= paid ? ['completed', 'refunded'] : ['refunded', 'completed']
  const purchases = await ctx.query<{ id: number }>({
    name: 'billing.follow-refunds',
    text: `update purchase set status = $4, version = version + 1, updated_at = $5
      where coach_id = $1 and invoice_id = $2 and status = $3 and deleted_at is null returning id`,
    values: [ctx.coachId, invoiceId, from, to, ctx.now()],
  })
  for (const { id } of purchases) await publish(ctx, purchaseUpdated, { purchaseId: id, fields: ['status'] })
}
