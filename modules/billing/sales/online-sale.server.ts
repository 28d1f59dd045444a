import { createHash } from 'node:crypto'
import type { AppLoadContext } from '@remix-run/node'
import { z } from 'zod'
import { AppError, ignoreNotFound } from '#app/lib/errors.ts'
import { cents, email, requiredLine } from '#app/lib/zod-types.ts'
import { publicFormActions, success } from '#modules/core/form-actions.server.ts'
import { isTimely, signOpening } from '#modules/core/form-timing.ts'
import { runHook } from '#modules/core/hooks.ts'
import { shownOffers, type HomeOffers } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { listClientNames } from '#modules/crm/index.ts'
import { runOnce } from '#tenants/api/idempotency.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { openLink } from '#tenants/signed-link.ts'
import { beginSubscription, type OnlinePayment, type PaymentPlan } from '../payment-provider.ts'
import type { ProductRecord } from '../records.ts'
import { formatPrice, formatSessions, formatTerms } from '../format.ts'
import { buyerFields } from './fields.ts'
import { saleRules } from './limits.ts'
import { isOutdated } from './outdated.ts'
import { listBuyerPermissions } from './permissions.ts'
import { getOnlineProduct, getSale, listPublicProducts, type SaleRecord } from './queries.ts'
import { getSalePath, readSaleToken } from './sale-link.ts'
import { startSale } from './sales.ts'

const formPurpose = 'sale-form'

export const openAsBuyer = (context: AppLoadContext): Promise<Ctx> =>
  context.visitor(listBuyerPermissions(context.requestContext))

/** The products on the coach's public page. */
export async function loadShop(context: AppLoadContext) {
  const ctx = await openAsBuyer(context)
  const products = await listPublicProducts(ctx)
  return { products: products.map((product) => describeProduct(ctx, product)) }
}

/** The page of a product, with the form of a buyer while it can be paid. */
export async function loadProductPage(context: AppLoadContext, slug: string) {
  const ctx = await openAsBuyer(context)
  const product = await getOnlineProduct(ctx, slug)
  const plan = await findPlan(ctx, product)
  return {
    product: describeProduct(ctx, product),
    plan,
    signature: (await canPay(ctx, product, plan))
      ? signOpening(ctx.platform, { purpose: formPurpose, coachId: ctx.coachId, now: ctx.now() })
      : null,
    coach: { name: context.tenant!.name, email: ctx.account.email },
  }
}

/** The first products for the coach's public page; null without any. */
export async function loadHomeProducts(ctx: Ctx): Promise<HomeOffers | null> {
  const [products, canBuy] = await Promise.all([listPublicProducts(ctx), canTakeCards(ctx)])
  if (!products.length) return null
  return {
    title: 'Programs and prices',
    offers: products.slice(0, shownOffers).map((product) => {
      const { slug, name, description, details, price } = describeProduct(ctx, product)
      return {
        name,
        description,
        details,
        price: { text: price, amount: cents().parse(product.price) },
        to: `/buy/${slug}`,
        buttonLabel: canBuy ? 'Buy' : 'Details',
      }
    }),
    more: products.length > shownOffers ? { label: 'All programs', to: '/buy' } : null,
  }
}

function describeProduct({ account: { currency } }: Ctx, product: ProductRecord) {
  const { slug, name, description, price, sessionCount, paymentType } = product
  const details = [
    ...(paymentType === 'one_time' ? [] : [formatTerms(product, currency)]),
    ...(sessionCount === null ? [] : [formatSessions(sessionCount)]),
  ]
  return { slug, name, description, price: formatPrice(price, currency), details: details.join(' · ') }
}
export type ShopProduct = ReturnType<typeof describeProduct>

/** How a product is paid in parts or again and again; null for one that is paid at once, or can't be paid so now. */
async function findPlan(ctx: Ctx, { id, paymentType }: ProductRecord): Promise<PaymentPlan | null> {
  if (paymentType === 'one_time') return null
  const [filled] = await fillSlot(ctx, 'sale.plan', { id: String(id) })
  return (filled?.data ?? null) as PaymentPlan | null
}

async function canPay(ctx: Ctx, { price, paymentType }: ProductRecord, plan: PaymentPlan | null): Promise<boolean> {
  if (paymentType !== 'one_time') return plan !== null
  const [filled] = await fillSlot(ctx, 'sale.available', { amount: String(cents().parse(price)) })
  return filled?.data === true
}

/** Whether visitors can pay usual amounts by card now. */
export async function canTakeCards(ctx: Ctx): Promise<boolean> {
  const [filled] = await fillSlot(ctx, 'sale.available', { amount: '10000000' })
  return filled?.data === true
}

export const buyMessages = { buy: { done: null, failed: 'This could not be bought. Please try again.' } }

const BuyForm = z.object({
  name: requiredLine(buyerFields.name.required),
  email: email(buyerFields.email.required),
  signature: z.string().max(200).default(''),
  /** Only programs fill it in. */
  website: z.string().default(''),
})

/** The form of a product's page leads to the payment. Sent twice, it leads to the same one. */
export const buyAction = publicFormActions(
  buyMessages,
  {
    buy: {
      schema: BuyForm,
      run: async (context, input, { params }) => success({ to: await buy(context, params.product ?? '', input) }),
    },
  },
  { home: '/buy' },
)

async function buy(
  context: AppLoadContext,
  slug: string,
  { website, signature, name, email: address }: z.output<typeof BuyForm>,
): Promise<string> {
  const ctx = await openAsBuyer(context)
  const { platform, coachId } = ctx
  if (website !== '') throw new AppError('bad_request', 'Leave the field Website empty and send the form again.')
  if (!isTimely(platform, { purpose: formPurpose, coachId, now: ctx.now(), signed: signature }))
    throw new AppError('bad_request', 'That was quick, or the page is old. Please send the form again.')
  const from = context.requestContext.address
  await countAttempt(platform, { rules: saleRules(from, coachId), address: from })
  const product = await getOnlineProduct(ctx, slug)
  if (!(await canPay(ctx, product, await findPlan(ctx, product))))
    throw new AppError('conflict', 'This can’t be bought online at the moment. Please get in touch instead.')
  const requestHash = createHash('sha256').update([slug, signature, name, address].join('\n')).digest()
  const { body: path } = await ctx.write((tx) =>
    runOnce(tx, { key: `sale-form ${requestHash.toString('hex')}`, requestHash }, async () => ({
      status: 201,
      body: await begin(tx, product, { name, email: address }),
    })),
  )
  return path!
}

/** Returns the path that leads to the payment. */
async function begin(ctx: WriteCtx, product: ProductRecord, buyer: { name: string; email: string }): Promise<string> {
  if (product.paymentType === 'one_time') return `${getSalePath(ctx, await startSale(ctx, product, buyer))}/pay`
  let path = ''
  await runHook(ctx, beginSubscription, { productId: product.id, buyer, onBegun: (to) => (path = to) })
  return path
}

/** The sale of a signed link; null if the link doesn't work here. */
export async function openSaleLink(
  context: AppLoadContext,
  token: string,
): Promise<{ ctx: Ctx; sale: SaleRecord } | null> {
  const link = await openLink(context, readSaleToken(context.requestContext.platform, token))
  if (!link) return null
  const ctx = await openAsBuyer(context)
  const sale = await getSale(ctx, link.id).catch(ignoreNotFound)
  return sale && !(await isWithoutClient(ctx, sale)) ? { ctx, sale } : null
}

/** Whether it was offered to a client who is in the trash or erased. */
async function isWithoutClient(ctx: Ctx, { source, state, clientId }: SaleRecord): Promise<boolean> {
  if (source !== 'link' || state === 'paid') return false
  const [client] = clientId === null ? [] : await listClientNames(ctx, [clientId])
  return !client || client.inTrash
}

/** The page of what another module sells, which says more than that of the sale; null without one. */
export async function findPageOfSold(ctx: Ctx, { id, source }: SaleRecord): Promise<string | null> {
  if (source !== 'booking') return null
  const [filled] = await fillSlot(ctx, 'sale.page', { id: String(id) })
  return (filled?.data ?? null) as string | null
}

/** Null unless it can be paid by card now. */
export async function getSalePayment(ctx: Ctx, sale: SaleRecord, token: string): Promise<OnlinePayment | null> {
  if (sale.state !== 'open') return null
  const [filled] = await fillSlot(ctx, 'sale.payment', { id: String(sale.id), token })
  const payment = (filled?.data ?? null) as OnlinePayment | null
  return payment?.action && isOutdated(sale, ctx.now()) ? null : payment
}
