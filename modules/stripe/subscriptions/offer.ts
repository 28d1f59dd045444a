import { AppError } from '#app/lib/errors.ts'
import { cents } from '#app/lib/zod-types.ts'
import { getProduct } from '#modules/billing/index.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { assertNotReadOnly, getClient, lockClient } from '#modules/crm/index.ts'
import { lockCurrency } from '#tenants/accounts/accounts.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { findReadyAccount } from '../queries/account.ts'
import { isChargeable } from '../vendor/amounts.ts'
import { getAmounts } from './terms.ts'

/** Throws conflict while subscriptions in another currency are offered or run: they stay in theirs. */
export async function assertSubscriptionCurrency(ctx: WriteCtx, { currency }: { currency: string }): Promise<void> {
  const [found] = await ctx.query({
    name: 'stripe.subscription-in-other-currency',
    text: `select id from stripe_subscription
      where coach_id = $1 and currency <> $2 and state not in ('completed', 'cancelled', 'withdrawn') limit 1`,
    values: [ctx.coachId, currency],
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
  await assertStorage(ctx)
  if (!(await findReadyAccount(ctx))) throw new AppError('conflict', 'Card payments are not available now.')
  await lockClient(ctx, clientId)
  const client = await getClient(ctx, clientId)
  await assertNotReadOnly(ctx, client.id)
  const currency = await lockCurrency(ctx)
  const {
    name,
    price,
    paymentType: kind,
    billingFrequency,
    installmentCount,
    sessionCount,
  } = await getProduct(ctx, productId)
  if (kind === 'one_time' || billingFrequency === null)
    throw invalidProduct('This product is paid once. Create an invoice instead.')
  const amount = cents().parse(price)
  if (!isChargeable(getAmounts({ amount, parts: installmentCount, currency }).each, currency))
    throw invalidProduct('The amount of a payment is too small to pay by card.')
  return insertRow(ctx, {
    table: 'stripe_subscription',
    name: 'stripe.add-subscription',
    row: {
      clientId,
      productId,
      productName: name,
      sessionCount,
      kind,
      frequency: billingFrequency,
      parts: installmentCount,
      currency,
      amount,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
  })
}
