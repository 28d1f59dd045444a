import { AppError } from '#app/lib/errors.ts'
import { cents } from '#app/lib/zod-types.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { publish } from '#modules/core/events.ts'
import { deliverSold, keepSold, runHook } from '#modules/core/hooks.ts'
import {
  createClient,
  findClientByEmail,
  lockClient,
  NewClient,
  productSold,
  remainingClients,
} from '#modules/crm/index.ts'
import { lockCurrency } from '#tenants/accounts/accounts.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { purchaseCreated, saleWithdrawn } from '../events.ts'
import { getProduct } from '../queries/products.ts'
import type { ProductRecord } from '../records.ts'
import { insertInvoice } from '../services/invoices.ts'
import type { BillTo } from '../services/invoice-rows.ts'
import { recordOnlinePayment } from '../services/online-payments.ts'
import { insertPurchase } from '../services/purchases.ts'
import { lockDefaults } from '../services/settings.ts'
import { findBillTo } from '../services/subscription-payments.ts'
import { isOutdated, outdatedMessage } from './outdated.ts'
import { lockSoldProduct, type SaleRecord } from './queries.ts'
import { Sale, type SaleRow } from './schema.ts'

type Buyer = { name: string; email: string }

/** Offers a product to a visitor who wants to buy it. Throws conflict if the coach's plan is full. Returns the id. */
export async function startSale(
  ctx: WriteCtx,
  { id: productId }: Pick<ProductRecord, 'id'>,
  buyer: Buyer,
): Promise<number> {
  authorize(ctx, 'billing:sale:write')
  await assertRoomForBuyer(ctx)
  const { name, price, sessionCount } = await getProduct(ctx, productId)
  const amount = cents().parse(price)
  return insertSale(ctx, { productId, productName: name, amount, sessionCount, buyer, source: 'page' })
}

/**
 * The same for something of another module, which the hook `deliverSold` hands over. `amount`: cents. Throws conflict
 * also if the product isn't sold.
 */
export async function startBookingSale(
  ctx: WriteCtx,
  { buyer, ...offer }: ({ name: string; amount: number } | { productId: number }) & { buyer: Buyer },
): Promise<number> {
  authorize(ctx, 'billing:sale:write')
  await assertRoomForBuyer(ctx)
  if (!('productId' in offer)) {
    const { name: productName, amount } = offer
    return insertSale(ctx, { productId: null, productName, amount, sessionCount: null, buyer, source: 'booking' })
  }
  const { id: productId, name: productName, price: amount, sessionCount } = await lockSoldProduct(ctx, offer.productId)
  return insertSale(ctx, { productId, productName, amount, sessionCount, buyer, source: 'booking' })
}

type NewSale = Pick<SaleRecord, 'productId' | 'productName' | 'amount' | 'sessionCount' | 'source'> & { buyer: Buyer }

async function insertSale(ctx: WriteCtx, { buyer, ...sale }: NewSale): Promise<number> {
  return insertRow(ctx, {
    table: 'sale',
    name: 'billing.start-sale',
    row: {
      ...sale,
      currency: await lockCurrency(ctx),
      buyerName: buyer.name,
      buyerEmail: buyer.email,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
  })
}

/** Throws conflict if the plan of the coach is full, also for a client: the answer tells nobody who is one. */
export async function assertRoomForBuyer(ctx: WriteCtx): Promise<void> {
  if ((await remainingClients(ctx)) === 0)
    throw new AppError('conflict', 'Buying online is not possible at the moment. Please get in touch instead.')
}

/**
 * Money that came in for a sale: the first time it becomes a purchase on an issued invoice, which the payment pays. It
 * may be repeated. Returns the invoice, and what is more than was left to pay and should go back. Throws not_found.
 */
export async function completeSale(
  ctx: WriteCtx,
  id: number,
  payment: { amount: number; externalId: string; paidAt: Date },
): Promise<{ invoiceId: number; excess: number }> {
  authorize(ctx, 'billing:sale:write')
  const sale = await lockSale(ctx, id)
  if (sale.invoice) {
    const { excess } = await recordOnlinePayment(ctx, sale.invoice.id, payment)
    return { invoiceId: sale.invoice.id, excess }
  }
  const { invoiceId, clientId } = await bookSale(ctx, sale, payment.paidAt)
  const { excess } = await recordOnlinePayment(ctx, invoiceId, payment)
  if (sale.source === 'booking') await runHook(ctx, deliverSold, { saleId: id, clientId })
  return { invoiceId, excess }
}

/**
 * Reserves what is sold until `until`, while the buyer pays. The sale must be locked. Throws conflict if it is no
 * longer available.
 */
export async function keepSale(ctx: WriteCtx, id: number, until: Date): Promise<void> {
  authorize(ctx, 'billing:sale:write')
  if (!(await runHook(ctx, keepSold, { saleId: id, until })))
    throw new AppError('conflict', 'This is no longer sold.', { subject: 'sale' })
}

/**
 * Ends the offer of something that a visitor didn't pay. Does nothing once it is paid or withdrawn. Throws not_found.
 */
export async function withdrawSale(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'billing:sale:write')
  const sale = await lockSale(ctx, id)
  if (sale.state !== 'open') return
  ctx.em.assign(sale, { state: 'withdrawn', version: sale.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await publish(ctx, saleWithdrawn, { saleId: id })
}

/** Returns the cents that are left to pay of a sale, locked. Throws not_found, and conflict if it is outdated. */
export async function lockSaleBalance(ctx: WriteCtx, id: number): Promise<number> {
  authorize(ctx, 'billing:sale:read')
  const sale = await lockSale(ctx, id)
  if (sale.state !== 'open') return 0
  if (isOutdated(sale, ctx.now())) throw new AppError('conflict', outdatedMessage, { subject: 'sale' })
  return sale.amount
}

/** Lock order: sale, client, invoice. */
export const lockSale = (ctx: WriteCtx, id: number): Promise<SaleRow> =>
  lockRow(ctx, { notFound: () => new AppError('not_found', 'Sale not found', { subject: 'sale' }) }, Sale, {
    coachId: ctx.coachId,
    id,
  })

/**
 * Makes the purchase and its invoice. One that was withdrawn while it was paid is booked all the same: the money is
 * there.
 */
async function bookSale(
  ctx: WriteCtx,
  sale: SaleRow,
  paidAt: Date,
): Promise<{ invoiceId: number; clientId: number | null }> {
  const client = await lockBuyer(ctx, sale)
  const { productName: name, amount, sessionCount } = sale
  const productId = sale.product?.id ?? null
  const purchasedAt = paidAt > ctx.now() ? ctx.now() : paidAt
  const purchaseId = await insertPurchase(ctx, {
    clientId: client.id,
    product: { id: productId, name },
    amount,
    status: 'pending',
    paymentMethod: 'stripe',
    notes: null,
    sessionCount: sessionCount ?? null,
    purchasedAt,
  })
  const { taxRate } = await lockDefaults(ctx)
  const invoiceId = await insertInvoice(ctx, client, {
    description: name,
    notes: null,
    dueDate: ctx.now(),
    // The price is what was paid.
    pricesIncludeTax: true,
    lines: [{ description: name, quantity: '1', unitPrice: amount, taxRate, productId }],
    draft: false,
    purchaseIds: [purchaseId],
  })
  if (productId !== null && client.id !== null)
    await runHook(ctx, productSold, { clientId: client.id, productId, productName: name, price: amount })
  await publish(ctx, purchaseCreated, { purchaseId })
  await ctx.query({
    name: 'billing.pay-sale',
    text: `update sale set state = 'paid', invoice_id = $3, client_id = $4, paid_at = $5, version = version + 1,
        updated_at = $6
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, sale.id, invoiceId, client.id, purchasedAt, ctx.now()],
  })
  return { invoiceId, clientId: client.id }
}

/**
 * The client whom it was offered to, also one in the trash; nobody for an erased one. Of a visitor, the one with this
 * address, otherwise a new one. Locks the client.
 */
async function lockBuyer(ctx: WriteCtx, sale: SaleRow): Promise<{ id: number | null } & BillTo> {
  const id =
    sale.source === 'link'
      ? (sale.client?.id ?? null)
      : await findOrAddBuyer(ctx, { name: sale.buyerName ?? '', email: sale.buyerEmail ?? '' })
  if (id !== null) await lockClient(ctx, id)
  const { name, email } = await findBillTo(ctx, id)
  return { id, name, email }
}

/** The client with this email address; otherwise the prospect becomes one, or a new one is added. */
export async function findOrAddBuyer(ctx: WriteCtx, { name, email }: Buyer): Promise<number> {
  const known =
    (await findClientByEmail(ctx, email)) ?? (await ctx.extensions.prospects?.convertBuyer(ctx, email)) ?? null
  return known ?? (await createClient(ctx, NewClient.parse({ name, email }), { hasPaid: true })).id
}
