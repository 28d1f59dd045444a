import { ignoreNotFound } from '#app/lib/errors.ts'
import { localDate } from '#app/lib/time.ts'
import { publish } from '#modules/core/events.ts'
import { runHook } from '#modules/core/hooks.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { getClient, listClientNames, productSold } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { invoiceCreated, invoiceIssued, purchaseCreated } from '../events.ts'
import { getTotals, insertLines, toIssued, type BillTo } from './invoice-rows.ts'
import { recordOnlinePayment } from './online-payments.ts'
import { lockDefaults } from './settings.ts'

/**
 * An installment or a period of a product that was charged at the provider. `amount`: cents, including the coach's tax.
 */
export type SubscriptionPayment = {
  clientId: number | null
  productId: number | null
  productName: string
  /** The line of the invoice: 'Coaching package, installment 2 of 4'. */
  description: string
  amount: number
  currency: string
  sessionCount: number | null
  /** Cents: that of all parts, or of a period, as the client has agreed to pay it. */
  price: number
  /** Whether it is the first one: the client gets the product. */
  isFirst: boolean
  /** The provider's id of the payment. */
  externalId: string
  paidAt: Date
}

/**
 * Books a payment that has been charged: a purchase on an invoice of its own, which this pays. Money that moved is
 * always booked, also of a client who is read-only, in the trash or erased. The client is locked, and the caller knows
 * that it isn't booked yet. Returns the invoice's id.
 */
export async function recordSubscriptionPayment(ctx: WriteCtx, payment: SubscriptionPayment): Promise<number> {
  authorize(ctx, 'billing:invoice:write')
  const { clientId, productId, productName, amount, currency, externalId, paidAt } = payment
  const description = payment.description.slice(0, 255)
  const settings = await lockDefaults(ctx, { takesNumber: true })
  const line = { description, quantity: '1', unitPrice: amount, taxRate: settings.taxRate, productId }
  const { amounts, taxes: _, untaxed: __, ...totals } = getTotals({ lines: [line], pricesIncludeTax: true, currency })
  const now = ctx.now()
  const dueDate = localDate(paidAt, ctx.account.timezone)
  const issued = toIssued(
    ctx,
    { kind: 'invoice', total: totals.total, dueDate },
    settings,
    await findBillTo(ctx, clientId),
  )
  const times = { createdAt: now, updatedAt: now }
  const invoiceId = await insertRow(ctx, {
    table: 'invoice',
    name: 'billing.create-subscription-invoice',
    row: { clientId, currency, description, pricesIncludeTax: true, ...totals, ...issued, ...times },
  })
  await insertLines(ctx, invoiceId, [line], amounts)
  const purchaseId = await insertRow(ctx, {
    table: 'purchase',
    name: 'billing.create-subscription-purchase',
    row: {
      clientId,
      productId,
      productName,
      amount,
      invoiceId,
      sessionCount: payment.sessionCount,
      ...times,
      status: 'pending',
      paymentMethod: 'stripe',
      purchasedAt: paidAt,
    },
  })
  await publish(ctx, invoiceIssued, { invoiceId })
  await publish(ctx, invoiceCreated, { invoiceId })
  if (payment.isFirst && clientId !== null && productId !== null)
    await runHook(ctx, productSold, {
      clientId,
      productId,
      productName,
      price: payment.price,
    })
  await publish(ctx, purchaseCreated, { purchaseId })
  await recordOnlinePayment(ctx, invoiceId, { amount, externalId, paidAt })
  return invoiceId
}

/** Nobody for an erased client; without an address for one in the trash. */
export async function findBillTo(ctx: WriteCtx, clientId: number | null): Promise<BillTo> {
  if (clientId === null) return { name: null, email: null }
  const client = await getClient(ctx, clientId).catch(ignoreNotFound)
  if (client) return client
  const [inTrash] = await listClientNames(ctx, [clientId])
  return { name: inTrash?.name ?? null, email: null }
}
