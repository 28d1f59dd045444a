import { AppError } from '#app/lib/errors.ts'
import { formatMoney } from '#app/lib/money.ts'
import type { OnlineSales } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import type { RefundRule } from '../booking-fields.ts'
import type { AppointmentTypeRecord } from '../records.ts'

/** Null without the module that has them, and while it is switched off. */
export const getOnlineSales = (ctx: Pick<Ctx, 'extensions'>): OnlineSales | null => ctx.extensions.onlineSales

/** For what was sold already: money that arrived must be able to go back, whatever is switched off since. */
export const getFormerSales = (ctx: Pick<Ctx, 'platform'>): OnlineSales | null => ctx.platform.extensions.onlineSales

/**
 * The price of a booking is that of the type or of its product. `price`: cents; null where none is shown.
 * `sessionCount`: of a package, of which the booked session is the first.
 */
export type Cost = { price: number | null; sessionCount: number | null }

/** Adds what types cost, and leaves out those whose product isn't sold. */
export async function listOffered<T extends Pick<AppointmentTypeRecord, 'priceCents' | 'productId'>>(
  ctx: Ctx,
  types: T[],
): Promise<(T & Cost)[]> {
  const ids = types.flatMap(({ productId }) => productId ?? [])
  const products = ids.length ? ((await getOnlineSales(ctx)?.findProducts(ctx, ids)) ?? []) : []
  return types.flatMap((type) => {
    if (type.productId === null) return { ...type, price: type.priceCents, sessionCount: null }
    const product = products.find(({ id, isSold }) => isSold && id === type.productId)
    return product ? { ...type, price: product.price, sessionCount: product.sessionCount } : []
  })
}

/** The cents that a visitor pays to book a type; null if it is paid later or costs nothing. */
export const getBookingPrice = ({ payment, price }: Pick<AppointmentTypeRecord, 'payment'> & Cost): number | null =>
  payment === 'booking' ? price : null

/** The rule for a session that is cancelled. The coach decides about a package: its other sessions may have taken place. */
export const getRefundRule = ({ refund, sessionCount }: Pick<AppointmentTypeRecord, 'refund'> & Cost): RefundRule =>
  sessionCount === null ? refund : 'manual'

/** Whether a type that is paid when booking can be booked now, and so can any other type. */
export async function canBePaid(ctx: Ctx, type: Pick<AppointmentTypeRecord, 'payment'> & Cost): Promise<boolean> {
  const price = getBookingPrice(type)
  return price === null || ((await getOnlineSales(ctx)?.isAvailable(ctx, price)) ?? false)
}

/** Whether visitors can pay usual amounts by card; null without the module that has sales. */
export const takesCards = async (ctx: Ctx): Promise<boolean | null> =>
  (await getOnlineSales(ctx)?.isAvailable(ctx, usualAmount)) ?? null

const usualAmount = 100_000

/** The products that a type can be paid as, and why the one that it has isn't sold; null where it is. */
export async function listProductChoices(ctx: Ctx, productId: number | null) {
  const sales = getOnlineSales(ctx)
  const [sold = [], [own] = []] = await Promise.all([
    sales?.listProducts(ctx),
    productId === null ? [] : sales?.findProducts(ctx, [productId]),
  ])
  const unsold = productId !== null && !own?.isSold
  return {
    choices: [...(own && unsold ? [own] : []), ...sold].map(({ id, name, price, sessionCount }) => ({
      value: String(id),
      label: [name, formatMoney(price, ctx.account.currency), sessionCount && `${sessionCount} sessions`]
        .filter(Boolean)
        .join(' · '),
    })),
    unsold: unsold
      ? `${own?.isInTrash ? 'It is in the trash' : 'It is not sold now'}: nobody can book this online.`
      : null,
  }
}

/**
 * Throws not_found for a product that isn't there, and validation_failed for one that can't be sold for a session, or
 * beside a price.
 */
export async function assertProduct(ctx: Ctx, id: number, priceCents: number | null = null): Promise<void> {
  const [product] = (await getOnlineSales(ctx)?.findProducts(ctx, [id])) ?? []
  if (!product || product.isInTrash) throw new AppError('not_found', 'Product not found')
  const invalid = (message: string) => new AppError('validation_failed', message, { field: 'productId' })
  if (!product.isSold) throw invalid('Choose an active product that is paid once and has a price')
  if (priceCents !== null) throw invalid('Choose either a price or a product, not both')
}

/** Throws validation_failed for a type that can't be paid when booking. */
export async function assertBookingPrice(
  ctx: Ctx,
  type: Pick<AppointmentTypeRecord, 'payment' | 'priceCents' | 'productId'>,
): Promise<void> {
  if (type.payment !== 'booking') return
  const field = type.productId === null ? 'priceCents' : 'productId'
  const invalid = (message: string, path: string) => new AppError('validation_failed', message, { field: path })
  const [offered] = await listOffered(ctx, [type])
  // A product that stopped being sold: nobody can book it.
  if (!offered) return
  if (!offered.price) throw invalid('Enter a price: it is paid when booking', field)
  if (await canBePaid(ctx, offered)) return
  if (await takesCards(ctx)) {
    const amount = formatMoney(offered.price, ctx.account.currency)
    throw invalid(`${amount} can’t be paid by card: enter a higher price`, field)
  }
  throw invalid('Connect card payments on the Settings page first', 'payment')
}
