import { AppError } from '#app/lib/errors.ts'
import { cents } from '#app/lib/zod-types.ts'
import { assertRoomForBuyer, getProduct, type ProductRecord } from '#modules/billing/index.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { assertNotReadOnly, getClient, lockClient } from '#modules/crm/index.ts'
import { lockCurrency } from '#tenants/accounts/accounts.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { findReadyAccount } from '../queries/account.ts'
import { isChargeable } from '../vendor/amounts.ts'
import { getAmounts, type Terms } from './terms.ts'

/** For the news of a payment in the last second. */
const newsMs = 3_600_000

/** Throws conflict while subscriptions in another currency are offered or run, or a visitor can pay one. */
export async function assertSubscriptionCurrency(ctx: WriteCtx, { currency }: { currency: string }): Promise<void> {
  const [found] = await ctx.query({
    name: 'stripe.subscription-in-other-currency',
    text: `select id from stripe_subscription
      where coach_id = $1 and currency <> $2 and state not in ('completed', 'cancelled', 'withdrawn')
        and (buyer_email is null or subscription_id is not null or session_expires_at > $3) limit 1`,
    values: [ctx.coachId, currency, new Date(ctx.now().getTime() - newsMs)],
  })
  if (found)
    throw new AppError(
      'conflict',
      'Subscriptions are offered or run in another currency. Withdraw what is offered first, on the Subscriptions page.',
      { subject: 'currency' },
    )
}

const invalidProduct = (message: string) => new AppError('validation_failed', message, { field: 'productId' })

/**
 * Offers a product that is paid in installments or again and again to a client. Returns the subscription's id. Throws
 * not_found, conflict while clients can't pay by card, and validation_failed for a product that can't be sold so.
 */
export async function createSubscription(
  ctx: WriteCtx,
  { clientId, productId }: { clientId: number; productId: number },
): Promise<number> {
  authorize(ctx, 'stripe:subscription:write')
  await lockClient(ctx, clientId)
  const client = await getClient(ctx, clientId)
  await assertNotReadOnly(ctx, client.id)
  return insertSubscription(ctx, { productId, row: { clientId } })
}

/**
 * The same for a visitor who wants to buy it. It is nobody's until it is paid. Throws conflict as well if the coach's
 * plan is full.
 */
export async function startSubscription(
  ctx: WriteCtx,
  { productId, buyer }: { productId: number; buyer: { name: string; email: string } },
): Promise<number> {
  authorize(ctx, 'stripe:payment:write')
  await assertRoomForBuyer(ctx)
  return insertSubscription(ctx, { productId, row: { buyerName: buyer.name, buyerEmail: buyer.email } })
}

type NewSubscription = {
  productId: number
  row: { clientId: number } | { buyerName: string; buyerEmail: string }
}

async function insertSubscription(ctx: WriteCtx, { productId, row }: NewSubscription): Promise<number> {
  await assertStorage(ctx)
  if (!(await findReadyAccount(ctx))) throw new AppError('conflict', 'Card payments are not available now.')
  const currency = await lockCurrency(ctx)
  const product = await getProduct(ctx, productId)
  const terms = toTerms(product, currency)
  if (!terms) throw invalidProduct('This product is paid once. Create an invoice instead.')
  if (!isPayable(terms)) throw invalidProduct('The amount of a payment is too small to pay by card.')
  const name = 'clientId' in row ? 'stripe.add-subscription' : 'stripe.start-subscription'
  return insertRow(ctx, {
    table: 'stripe_subscription',
    name,
    row: {
      ...row,
      ...terms,
      productId,
      productName: product.name,
      sessionCount: product.sessionCount,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
  })
}

/** Null for a product that is paid once. */
export function toTerms(
  { price, paymentType: kind, billingFrequency: frequency, installmentCount: parts }: ProductRecord,
  currency: string,
): Terms | null {
  if (kind === 'one_time' || frequency === null) return null
  return { kind, frequency, parts, currency, amount: cents().parse(price) }
}

export const isPayable = (terms: Terms): boolean => isChargeable(getAmounts(terms).each, terms.currency)
