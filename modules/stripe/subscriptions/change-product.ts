import { AppError } from '#app/lib/errors.ts'
import { getProduct, type ProductRecord } from '#modules/billing/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { fromMinorUnits, isChargeable, toMinorUnits } from '../vendor/amounts.ts'
import { callStripe } from '../vendor/client.ts'
import { StripeError } from '../vendor/errors.ts'
import { change, conflict, getSubscription, orUpstream } from './manage.ts'
import { isPayable, toTerms } from './offer.ts'
import { toId } from './progress.ts'
import type { Subscription } from './queries.ts'
import { intervals, type Terms } from './terms.ts'

/** Seconds for which a preview counts. */
const previewSeconds = 86_400

/** Whether the coach can choose another product for it: one whose installments are agreed on stays as it is. */
export const canChangeProduct = ({ kind, state, cancelsAtPeriodEnd }: Subscription): boolean =>
  kind === 'recurring' && state === 'active' && !cancelsAtPeriodEnd

/** Whether it can replace the product of a subscription: paid as often, in the same currency. */
export function isReplacement(subscription: Subscription, product: ProductRecord): boolean {
  const terms = toTerms(product, subscription.currency)
  return (
    terms?.kind === 'recurring' &&
    terms.frequency === subscription.frequency &&
    product.id !== subscription.productId &&
    isPayable(terms)
  )
}

type Change = { product: ProductRecord; terms: Terms; subscription: Subscription }

async function getChange(ctx: Ctx, id: number, productId: number): Promise<Change> {
  const subscription = await getSubscription(ctx, id)
  const product = await getProduct(ctx, productId)
  if (!canChangeProduct(subscription)) throw conflict('Only a recurring subscription that runs can change.')
  if (subscription.currency !== ctx.account.currency)
    throw conflict('This subscription is in another currency than your products.')
  if (!isReplacement(subscription, product))
    throw new AppError('validation_failed', `Choose another recurring product that is paid ${subscription.frequency}`, {
      field: 'productId',
    })
  return { subscription, product, terms: toTerms(product, subscription.currency)! }
}

/**
 * The cents that the client pays at once for the rest of the period, as Stripe computes them; null if that is too
 * little to charge: then the product can only change with the next charge. `at`: to send with the change, which then
 * costs the same.
 */
export async function previewChange(
  ctx: Ctx,
  id: number,
  productId: number,
): Promise<{ due: number | null; at: number }> {
  const { subscription, terms } = await getChange(ctx, id, productId)
  const { subscriptionId, accountId, currency } = subscription
  const at = Math.floor(ctx.now().getTime() / 1000)
  const options = { stripeAccount: accountId! }
  const invoice = await orUpstream(async () => {
    const { items } = await callStripe(ctx.platform.config, (stripe) =>
      stripe.subscriptions.retrieve(subscriptionId!, {}, options),
    )
    const [item] = items.data
    const price_data = toPriceData(terms, toId(item!.price.product)!)
    return callStripe(ctx.platform.config, (stripe) =>
      stripe.invoices.createPreview(
        {
          subscription: subscriptionId!,
          subscription_details: {
            items: [{ id: item!.id, price_data }],
            proration_behavior: 'always_invoice',
            proration_date: at,
          },
        },
        options,
      ),
    )
  })
  const due = fromMinorUnits(invoice.amount_due, currency)
  return { due: isChargeable(due, currency) ? due : null, at }
}

const toPriceData = ({ amount, currency, frequency }: Terms, product: string) => ({
  currency,
  unit_amount: toMinorUnits(amount, currency),
  product,
  recurring: { interval: intervals[frequency] },
})

/** `at`: the time of the preview, for a change that begins now. */
type Choice = { productId: number; when: 'next' | 'now'; at?: number | undefined }

/**
 * Changes the product of a subscription: `next` with the next charge, without anything to pay before; `now` the client
 * pays the difference for the rest of the period at once, or nothing changes. Throws not_found, conflict,
 * validation_failed and upstream_failed.
 */
export async function changeProduct(
  ctx: Ctx,
  id: number,
  { productId, when, at = Math.floor(ctx.now().getTime() / 1000) }: Choice,
): Promise<void> {
  const { product, terms } = await getChange(ctx, id, productId)
  if (when === 'now') await assertPayableNow(ctx, id, productId, at)
  const { config } = ctx.platform
  await change(ctx, id, ['active'], async ({ subscriptionId, stripeAccount, options }) => {
    const { items } = await callStripe(config, (stripe) =>
      stripe.subscriptions.retrieve(subscriptionId, {}, { stripeAccount }),
    )
    await assertNothingOpen(ctx, subscriptionId, stripeAccount)
    const key = `product:${productId}:${when}:${when === 'now' ? at : ''}`
    const created = await callStripe(config, (stripe) =>
      stripe.products.create({ name: product.name }, options(`${key}:create`)),
    )
    const body = {
      items: [{ id: items.data[0]!.id, price_data: toPriceData(terms, created.id) }],
      // The news of the change say which product it is.
      metadata: {
        product: String(productId),
        product_name: product.name,
        sessions: String(product.sessionCount ?? ''),
      },
      ...(when === 'next'
        ? { proration_behavior: 'none' as const }
        : {
            proration_behavior: 'always_invoice' as const,
            proration_date: at,
            payment_behavior: 'error_if_incomplete' as const,
          }),
    }
    try {
      await callStripe(config, (stripe) => stripe.subscriptions.update(subscriptionId, body, options(key)))
    } catch (error) {
      if (!(error instanceof StripeError) || error.status !== 402) throw error
      if (error.code === 'subscription_payment_intent_requires_action')
        throw conflict('The client’s bank asks the client first. Nothing has changed. Change it with the next charge.')
      throw conflict('The client’s card was declined. Nothing has changed.')
    }
  })
}

async function assertPayableNow(ctx: Ctx, id: number, productId: number, at: number): Promise<void> {
  const now = Math.floor(ctx.now().getTime() / 1000)
  if (at > now || at < now - previewSeconds) throw conflict('This page is old. Look at what your client pays again.')
  if ((await previewChange(ctx, id, productId)).due === null)
    throw conflict('There is nothing to pay now. Change it with the next charge.')
}

/** An open charge is for the product until now: its payment has to be in the books first. */
async function assertNothingOpen(ctx: Ctx, subscription: string, stripeAccount: string): Promise<void> {
  for (const status of ['draft', 'open'] as const) {
    const { data } = await callStripe(ctx.platform.config, (stripe) =>
      stripe.invoices.list({ subscription, status, limit: 1 }, { stripeAccount }),
    )
    if (data.length) throw conflict('A payment is on its way. Try again when it is paid.')
  }
}
