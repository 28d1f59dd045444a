import { AppError } from '#app/lib/errors.ts'
import { cents } from '#app/lib/zod-types.ts'
import { formatMoney } from '#app/lib/money.ts'
import { localDate, noonIn } from '#app/lib/time.ts'
import { publish } from '#modules/core/events.ts'
import { runHook } from '#modules/core/hooks.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import {
  assertNotReadOnly,
  listClientNames,
  getClient,
  lockClient,
  logActivity,
  productSold,
} from '#modules/crm/index.ts'
import { lockCurrency } from '#tenants/accounts/accounts.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { purchaseDeleted, purchaseCreated, purchaseRestored, purchaseUpdated } from '../events.ts'
import type { PaymentMethod, PurchaseStatus } from '../fields.ts'
import type { NewPurchase, NewPurchaseOnDate, PurchaseEdit, PurchaseEditForm } from '../forms.ts'
import { getProduct } from '../queries/products.ts'
import { getPurchase } from '../queries/purchases.ts'
import { purchase as purchaseRecord, type ProductRecord, type PurchaseRecord } from '../records.ts'
import { Purchase, type PurchaseRow } from '../schema.ts'
import type { LedgerKind } from '../ledger/kinds.ts'
import { assertPayable } from './currency.ts'
import { recordEntry } from './ledger.ts'
import { withoutUndefined } from './without-undefined.ts'

/** Books a completed purchase. Throws not_found for the client or the product. */
export async function createPurchase(ctx: WriteCtx, input: NewPurchase): Promise<PurchaseRecord> {
  authorize(ctx, 'billing:purchase:write')
  await assertStorage(ctx)
  // Until the end nobody deletes or merges the client, and the second of two installments waits for the first.
  await lockClient(ctx, input.clientId)
  const client = await getClient(ctx, input.clientId)
  assertPayable(input.amount, await lockCurrency(ctx))
  const product = await getProduct(ctx, input.productId)
  await assertNotReadOnly(ctx, client.id)
  const sessionCount = input.sessionCount === undefined ? await countIncluded(ctx, product, input) : input.sessionCount
  const purchasedAt = input.purchaseDate ?? ctx.now()
  const id = await insertPurchase(ctx, { ...input, product, sessionCount, purchasedAt })
  await bookPurchase(ctx, null, { ...input, id, purchasedAt })
  if (input.status === 'completed') await logPayment(ctx, { ...input, productName: product.name }, client)
  if (input.status === 'completed' || input.status === 'pending')
    await runSold(ctx, { clientId: client.id, product, amount: input.amount, sessionCount })
  await publish(ctx, purchaseCreated, { purchaseId: id })
  return getPurchase(ctx, id)
}

/** The ids of a client and a product are null if they were erased in the meantime. `amount`: cents. */
type PurchaseValues = Pick<NewPurchase, 'amount' | 'status' | 'paymentMethod' | 'notes'> & {
  clientId: number | null
  product: { id: number | null; name: string }
  sessionCount: number | null
  purchasedAt: Date
}

/** Inserts a purchase that books nothing. Returns the id. */
export async function insertPurchase(
  ctx: WriteCtx,
  { clientId, product, amount, status, paymentMethod, notes, sessionCount, purchasedAt }: PurchaseValues,
): Promise<number> {
  const [inserted] = await ctx.query<{ id: number }>({
    name: 'billing.create-purchase',
    text: `insert into purchase (coach_id, client_id, product_id, product_name, amount, status, payment_method, notes,
        session_count, purchased_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id`,
    values: [
      ctx.coachId,
      clientId,
      product.id,
      product.name,
      amount,
      status,
      paymentMethod,
      notes,
      sessionCount,
      purchasedAt,
      ctx.now(),
    ],
  })
  return inserted!.id
}

/**
 * The sessions that a purchase includes: the product's. Of the installments of one package, which are below its price,
 * the first has them.
 */
async function countIncluded(
  ctx: WriteCtx,
  product: ProductRecord,
  { clientId, amount }: Pick<NewPurchase, 'clientId' | 'amount'>,
): Promise<number | null> {
  const { id, sessionCount, installmentCount, price } = product
  const total = cents().parse(price)
  if (sessionCount === null || installmentCount === null || amount >= total) return sessionCount
  const [paid] = await ctx.query<{ parts: number }>({
    name: 'billing.count-installments',
    text: `select count(*) as parts from purchase
      where coach_id = $1 and client_id = $2 and product_id = $3 and deleted_at is null
        and status in ('completed', 'pending') and amount < $4
        and id >= (select max(id) from purchase where coach_id = $1 and client_id = $2 and product_id = $3
          and deleted_at is null and session_count is not null and status in ('completed', 'pending')
          and amount < $4)`,
    values: [ctx.coachId, clientId, id, total],
  })
  return paid!.parts > 0 && paid!.parts < installmentCount ? null : sessionCount
}

/** An installment of a package stands for the whole; where one includes the sessions, only that one counts. */
async function runSold(
  ctx: WriteCtx,
  {
    clientId,
    product: { id: productId, name: productName, ...product },
    amount,
    sessionCount,
  }: { clientId: number; product: ProductRecord; amount: number; sessionCount: number | null },
): Promise<void> {
  const price = cents().parse(product.price)
  const isPart = product.installmentCount !== null && amount < price
  if (isPart && product.sessionCount !== null && sessionCount === null) return
  await runHook(ctx, productSold, { clientId, productId, productName, price: isPart ? price : amount })
}

/** As `createPurchase`, with a date of the coach's calendar. Today, and no date, is now; any other date is its noon. */
export async function createPurchaseOnDate(
  ctx: WriteCtx,
  { date, ...input }: NewPurchaseOnDate,
): Promise<PurchaseRecord> {
  const { timezone } = ctx.account
  const isNow = date === undefined || date === localDate(ctx.now(), timezone)
  return createPurchase(ctx, { ...input, purchaseDate: isNow ? null : noonIn(date, timezone) })
}

/** Records the product chosen for a new client, pending, at its price. Throws not_found. */
export async function createPendingPurchase(
  ctx: WriteCtx,
  { clientId, productId }: { clientId: number; productId: number },
): Promise<void> {
  const { price } = await getProduct(ctx, productId)
  await createPurchase(ctx, {
    clientId,
    productId,
    amount: cents().parse(price),
    status: 'pending',
    paymentMethod: 'manual',
    notes: null,
  })
}

/** `amount`: cents. Only the edit form sends it; the API's contract leaves it out. */
type PurchaseChange = PurchaseEdit & { amount?: number | undefined }

/**
 * Changes only the fields that are sent, and keeps the client's total in step. Throws not_found, and conflict if the
 * purchase was saved after `expectedVersion`.
 */
export async function updatePurchase(
  ctx: WriteCtx,
  id: number,
  input: PurchaseChange,
  expectedVersion?: number,
): Promise<PurchaseRecord> {
  authorize(ctx, 'billing:purchase:write')
  await assertStorage(ctx)
  const purchase = await lockPurchase(ctx, id)
  purchaseRecord.assertVersion(purchase, expectedVersion)
  const { purchaseDate, ...changes } = withoutUndefined(input)
  const fields = Object.keys(withoutUndefined(input))
  if (!fields.length) return getPurchase(ctx, id)
  if (purchase.client) await assertNotReadOnly(ctx, purchase.client.id)

  if (purchase.invoice && isBookedDifferently(purchase, input)) throw paidByInvoice()

  if (changes.amount !== undefined) assertPayable(changes.amount, ctx.account.currency)
  const { status } = purchase
  const before = toBooked(purchase)
  ctx.em.assign(purchase, {
    ...changes,
    ...(purchaseDate ? { purchasedAt: purchaseDate } : {}),
    version: purchase.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  await bookPurchase(ctx, before, toBooked(purchase))
  if (purchase.status !== status) await logStatusChange(ctx, purchase)
  await publish(ctx, purchaseUpdated, { purchaseId: id, fields })
  return getPurchase(ctx, id)
}

/** As `updatePurchase`, with a date of the coach's calendar. The time of day is kept unless the date changes. */
export async function updatePurchaseOnDate(
  ctx: WriteCtx,
  id: number,
  { date, ...input }: Omit<PurchaseEditForm, 'id' | 'version'>,
  expectedVersion?: number,
): Promise<PurchaseRecord> {
  const { purchasedAt } = await getPurchase(ctx, id)
  const { timezone } = ctx.account
  const isMoved = date !== undefined && date !== localDate(purchasedAt, timezone)
  const change = isMoved ? { ...input, purchaseDate: noonIn(date, timezone) } : input
  return updatePurchase(ctx, id, change, expectedVersion)
}

/** Moves a purchase to the trash and takes it out of the client's total. Throws not_found, also the second time. */
export async function deletePurchase(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'billing:purchase:write')
  const purchase = await lockPurchase(ctx, id)
  if (purchase.invoice) throw paidByInvoice()
  purchase.deletedAt = ctx.now()
  await ctx.em.flush()
  await bookPurchase(ctx, toBooked(purchase), null)
  await publish(ctx, purchaseDeleted, { purchaseId: id })
}

/** Takes a purchase out of the trash. Does nothing if it isn't there. Throws not_found. */
export async function restorePurchase(ctx: WriteCtx, id: number): Promise<PurchaseRecord> {
  authorize(ctx, 'billing:purchase:write')
  const purchase = await lockPurchase(ctx, id, { inTrash: true })
  if (!purchase.deletedAt) return getPurchase(ctx, id)

  purchase.deletedAt = null
  await ctx.em.flush()
  await bookPurchase(ctx, null, toBooked(purchase))
  await publish(ctx, purchaseRestored, { purchaseId: id })
  return getPurchase(ctx, id)
}

/** The booked part of a purchase. `amount`: cents. */
type Booked = {
  id: number
  clientId: number | null
  status: PurchaseStatus
  amount: number
  paymentMethod: PaymentMethod
  purchasedAt: Date
}

const toBooked = ({ id, client, status, amount, paymentMethod, purchasedAt }: PurchaseRow): Booked => ({
  id,
  clientId: client?.id ?? null,
  status,
  amount,
  paymentMethod,
  purchasedAt,
})

/**
 * Books a change of a purchase: only a completed one is money, on the day of the purchase. What was booked before is
 * taken back on its own day, so that each month is the sum of its completed purchases (api.md). Null: there is none.
 */
async function bookPurchase(ctx: WriteCtx, before: Booked | null, after: Booked | null): Promise<void> {
  const [old, current] = [before, after].map((purchase) =>
    purchase?.status === 'completed' && purchase.amount ? purchase : null,
  )
  if (
    old?.amount === current?.amount &&
    old?.purchasedAt.getTime() === current?.purchasedAt.getTime() &&
    old?.paymentMethod === current?.paymentMethod
  )
    return
  const isRefund = after?.status === 'refunded'
  if (old) await bookAmount(ctx, old, isRefund ? 'refund' : 'correction', -old.amount)
  if (current) await bookAmount(ctx, current, 'payment', current.amount)
}

async function bookAmount(ctx: WriteCtx, purchase: Booked, kind: LedgerKind, amount: number): Promise<void> {
  const { id, clientId, paymentMethod, purchasedAt } = purchase
  await recordEntry(ctx, {
    kind,
    amount,
    currency: await lockCurrency(ctx),
    method: paymentMethod,
    occurredAt: purchasedAt,
    clientId,
    purchaseId: id,
  })
}

/** Whether a form that sends all fields changes more than the notes. */
const isBookedDifferently = (purchase: PurchaseRow, { amount, status, paymentMethod, purchaseDate }: PurchaseChange) =>
  (amount ?? purchase.amount) !== purchase.amount ||
  (status ?? purchase.status) !== purchase.status ||
  (paymentMethod ?? purchase.paymentMethod) !== purchase.paymentMethod ||
  (purchaseDate ?? purchase.purchasedAt).getTime() !== purchase.purchasedAt.getTime()

const paidByInvoice = () =>
  new AppError('conflict', 'This purchase is on an invoice. Change the invoice instead.', { subject: 'purchase' })

/**
 * Locks the client, then the purchase: erasing a client locks in the same order, so the two can't deadlock. `inTrash`:
 * also finds a purchase in the trash.
 */
async function lockPurchase(ctx: WriteCtx, id: number, { inTrash = false } = {}): Promise<PurchaseRow> {
  const [row] = await ctx.query<{ clientId: number | null }>({
    name: 'billing.purchase-client',
    text: 'select client_id as "clientId" from purchase where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  if (!row) throw purchaseRecord.notFound()
  if (row.clientId !== null) await lockClient(ctx, row.clientId)
  return lockRow(ctx, purchaseRecord, Purchase, { coachId: ctx.coachId, id, ...(inTrash ? {} : { deletedAt: null }) })
}

async function logStatusChange(ctx: WriteCtx, purchase: PurchaseRow): Promise<void> {
  if (!purchase.client) return
  const [client] = await listClientNames(ctx, [purchase.client.id])
  if (client) await logPayment(ctx, purchase, client)
}

const paymentActivities: Partial<Record<PurchaseStatus, { type: string; title: string }>> = {
  completed: { type: 'payment_received', title: 'Payment received' },
  refunded: { type: 'purchase_refunded', title: 'Purchase refunded' },
  cancelled: { type: 'purchase_cancelled', title: 'Purchase cancelled' },
  failed: { type: 'payment_failed', title: 'Payment failed' },
}

async function logPayment(
  ctx: WriteCtx,
  { status, amount, productName }: { status: PurchaseStatus; amount: number; productName: string },
  client: { id: number; name: string },
): Promise<void> {
  const activity = paymentActivities[status]
  if (!activity) return
  const direction = status === 'refunded' ? 'to' : 'from'
  await logActivity(ctx, {
    ...activity,
    description: `${formatMoney(amount, ctx.account.currency)} ${direction} ${client.name}, ${productName}`,
    clientId: client.id,
  })
}
