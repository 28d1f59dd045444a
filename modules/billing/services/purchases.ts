import { LockMode } from '@mikro-orm/core'
import { cents, formatCents } from '#app/lib/money.ts'
import { dateOf, noonOf } from '#app/lib/time.ts'
import { addToTotalSpent, clientNames, clientOf, holdClient, logActivity } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import type { PurchaseStatus } from '../fields.ts'
import type { NewPurchase, NewSale, PurchaseEdit, PurchaseEditForm } from '../forms.ts'
import { productOf } from '../queries/products.ts'
import { purchaseOf } from '../queries/purchases.ts'
import { purchase as purchaseRecord, type PurchaseRecord } from '../records.ts'
import { Purchase, type PurchaseRow } from '../schema.ts'

/** Records a purchase; a completed one counts in the client's total at once. Throws not_found for the client or the product. */
export async function recordPurchase(ctx: WriteCtx, input: NewPurchase): Promise<PurchaseRecord> {
  authorize(ctx, 'billing:purchase:write')
  const client = await clientOf(ctx, input.clientId)
  const product = await productOf(ctx, input.productId)
  const now = ctx.now()
  const [added] = await ctx.rows<{ id: number }>({
    name: 'billing.record-purchase',
    text: `insert into purchase (coach_id, client_id, product_id, product_name, amount, status, payment_method, notes, purchased_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning id`,
    values: [
      ctx.coachId,
      client.id,
      product.id,
      product.name,
      input.amount,
      input.status,
      input.paymentMethod,
      input.notes,
      input.purchaseDate ?? now,
      now,
    ],
  })
  await addToTotalSpent(ctx, client.id, counted(input.status, input.amount))
  if (input.status === 'completed') await logSale(ctx, client, product.name, input.amount)
  return purchaseOf(ctx, added!.id)
}

/** As `recordPurchase`, from a screen that knows days alone: today is now, another day its noon. */
export async function recordSale(ctx: WriteCtx, { date, ...input }: NewSale): Promise<PurchaseRecord> {
  const zone = ctx.account.timezone
  return recordPurchase(ctx, { ...input, purchaseDate: date === dateOf(ctx.now(), zone) ? null : noonOf(date, zone) })
}

/** The product that was chosen with a new client: a pending purchase at its price. Throws not_found. */
export async function recordChosenProduct(
  ctx: WriteCtx,
  { clientId, productId }: { clientId: number; productId: number },
): Promise<void> {
  const { price } = await productOf(ctx, productId)
  await recordPurchase(ctx, {
    clientId,
    productId,
    amount: cents().parse(price),
    status: 'pending',
    paymentMethod: 'manual',
    notes: null,
  })
}

/**
 * Changes status, method, notes or date; the client's total follows the status. `seen` is the version that the screen
 * showed: throws conflict when somebody saved since. Throws not_found.
 */
export async function editPurchase(
  ctx: WriteCtx,
  id: number,
  input: PurchaseEdit,
  seen?: number,
): Promise<PurchaseRecord> {
  authorize(ctx, 'billing:purchase:write')
  const purchase = await held(ctx, id, null)
  purchaseRecord.assertVersion(purchase, seen)
  const before = { status: purchase.status, counted: counted(purchase.status, purchase.amount) }
  const { purchaseDate, ...sent } = Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined),
  ) as PurchaseEdit
  if (!Object.keys(input).length) return purchaseOf(ctx, id)
  ctx.em.assign(purchase, {
    ...sent,
    ...(purchaseDate ? { purchasedAt: purchaseDate } : {}),
    version: purchase.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  await addToTotalSpent(ctx, purchase.client?.id ?? null, counted(purchase.status, purchase.amount) - before.counted)
  if (purchase.status !== before.status) await logChange(ctx, purchase)
  return purchaseOf(ctx, id)
}

/** As `editPurchase`, from a screen that knows days alone: the time of a day that stays is kept, another day becomes its noon. */
export async function editPurchaseDay(
  ctx: WriteCtx,
  id: number,
  { date, ...input }: Omit<PurchaseEditForm, 'id' | 'version'>,
  seen?: number,
): Promise<PurchaseRecord> {
  const { purchasedAt } = await purchaseOf(ctx, id)
  const zone = ctx.account.timezone
  const moved = date !== undefined && date !== dateOf(purchasedAt, zone) ? { purchaseDate: noonOf(date, zone) } : {}
  return editPurchase(ctx, id, { ...input, ...moved }, seen)
}

/** Takes a purchase out of the lists and the totals. Throws not_found, also the second time. */
export async function deletePurchase(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'billing:purchase:write')
  const purchase = await held(ctx, id, null)
  purchase.deletedAt = ctx.now()
  await ctx.em.flush()
  await addToTotalSpent(ctx, purchase.client?.id ?? null, -counted(purchase.status, purchase.amount))
}

/** Takes a purchase out of the trash, and counts it again. One that isn't there stays as it is. Throws not_found. */
export async function restorePurchase(ctx: WriteCtx, id: number): Promise<PurchaseRecord> {
  authorize(ctx, 'billing:purchase:write')
  const purchase = await held(ctx, id)
  if (!purchase.deletedAt) return purchaseOf(ctx, id)
  purchase.deletedAt = null
  await ctx.em.flush()
  await addToTotalSpent(ctx, purchase.client?.id ?? null, counted(purchase.status, purchase.amount))
  return purchaseOf(ctx, id)
}

/** What a purchase adds to the client's total, in cents: only completed ones count. */
function counted(status: PurchaseStatus, amount: number): number {
  return status === 'completed' ? amount : 0
}

/**
 * The purchase, held until the transaction ends: of two changes at once the second sees the first. Its client is held before
 * it, as by whoever erases a client and with it the client of its purchases: so nobody waits for somebody who waits for them.
 */
async function held(ctx: WriteCtx, id: number, deletedAt?: null): Promise<PurchaseRow> {
  const [sold] = await ctx.rows<{ clientId: number | null }>({
    name: 'billing.sold-to',
    text: 'select client_id as "clientId" from purchase where id = $1',
    values: [id],
  })
  if (!sold) throw purchaseRecord.notFound()
  if (sold.clientId !== null) await holdClient(ctx, sold.clientId)
  const where = { coachId: ctx.coachId, id, ...(deletedAt === null ? { deletedAt } : {}) }
  const purchase = await ctx.em.findOne(Purchase, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!purchase) throw purchaseRecord.notFound()
  return purchase
}

async function logSale(
  ctx: WriteCtx,
  client: { id: number; name: string },
  productName: string,
  amount: number,
): Promise<void> {
  await logActivity(ctx, {
    type: 'purchase_recorded',
    title: 'Purchase recorded',
    description: `${formatCents(amount)} from ${client.name}, ${productName}`,
    clientId: client.id,
  })
}

const changes: Partial<Record<PurchaseStatus, { type: string; title: string }>> = {
  completed: { type: 'payment_received', title: 'Payment received' },
  refunded: { type: 'purchase_refunded', title: 'Purchase refunded' },
  cancelled: { type: 'purchase_cancelled', title: 'Purchase cancelled' },
  failed: { type: 'payment_failed', title: 'Payment failed' },
}

async function logChange(ctx: WriteCtx, { status, amount, productName, client }: PurchaseRow): Promise<void> {
  const change = changes[status]
  if (!change || !client) return
  const [who] = await clientNames(ctx, [client.id])
  await logActivity(ctx, {
    ...change,
    description: `${formatCents(amount)} ${status === 'refunded' ? 'to' : 'from'} ${who?.name ?? 'a client'}, ${productName}`,
    clientId: client.id,
  })
}
