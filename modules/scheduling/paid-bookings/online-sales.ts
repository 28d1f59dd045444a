import { AppError } from '#app/lib/errors.ts'
import { formatMoney } from '#app/lib/money.ts'
import type { OnlineSales } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import type { AppointmentTypeRecord } from '../records.ts'

/** Null without the module that has them. */
export const getOnlineSales = (ctx: Pick<Ctx, 'platform'>): OnlineSales | null => ctx.platform.extensions.onlineSales

type Paid = Pick<AppointmentTypeRecord, 'payment' | 'priceCents'>

/** The cents that a visitor pays to book a type; null if it is paid later or costs nothing. */
export const getBookingPrice = ({ payment, priceCents }: Paid): number | null =>
  payment === 'booking' ? priceCents : null

/** Whether a type that is paid when booking can be booked now, and so can any other type. */
export async function canBePaid(ctx: Ctx, type: Paid): Promise<boolean> {
  const price = getBookingPrice(type)
  return price === null || ((await getOnlineSales(ctx)?.isAvailable(ctx, price)) ?? false)
}

/** Whether visitors can pay usual amounts by card; null without the module that has sales. */
export const takesCards = async (ctx: Ctx): Promise<boolean | null> =>
  (await getOnlineSales(ctx)?.isAvailable(ctx, usualAmount)) ?? null

const usualAmount = 100_000

/** Throws validation_failed for a type that can't be paid when booking. */
export async function assertBookingPrice(ctx: Ctx, type: Paid): Promise<void> {
  if (type.payment !== 'booking') return
  const invalid = (message: string, field: string) => new AppError('validation_failed', message, { field })
  if (!type.priceCents) throw invalid('Enter a price: it is paid when booking', 'priceCents')
  if (await canBePaid(ctx, type)) return
  if (await takesCards(ctx))
    throw invalid(
      `${formatMoney(type.priceCents, ctx.account.currency)} can’t be paid by card: enter a higher price`,
      'priceCents',
    )
  throw invalid('Connect card payments on the Settings page first', 'payment')
}
