import { data, redirect, type AppLoadContext } from '@remix-run/node'
import { formatMoney } from '#app/lib/money.ts'
import { formatTime, localDate } from '#app/lib/time.ts'
import { NoInput, publicFormActions, success } from '#modules/core/form-actions.server.ts'
import type { Ctx } from '#tenants/context.ts'
import { openLink } from '#tenants/signed-link.ts'
import { describeZone } from '../booking/booking-loader.server.ts'
import { openAsVisitor } from '../booking/permissions.ts'
import { signConfirmation } from '../booking/signed-values.ts'
import { formatDateTimeRange } from '../format.ts'
import { getBookableType } from '../queries/bookable-types.ts'
import { getAppointmentType } from '../queries/types.ts'
import { appointment } from '../records.ts'
import { getOnlineSales } from './online-sales.ts'
import { readPaidBookingToken } from './link.ts'
import { findPaidBooking, getEnd, releasePaidBooking, type PaidBooking } from './paid-bookings.ts'

/** The page of a slot that is being paid for: how it stands, and what the visitor can do. A GET changes nothing. */
export async function loadPaidBooking(context: AppLoadContext, token: string) {
  const link = await openPaidBooking(context, token)
  const sales = link && getOnlineSales(link.ctx)
  if (!link || !sales) return data({ view: null, coach: null }, { status: 404 })
  const { ctx, booking } = link
  const { state, appointmentId, startTime, timezone, keptUntil, refundState } = booking
  if (appointmentId !== null)
    throw redirect(`/book/confirmed/${signConfirmation(ctx.platform, ctx.coachId, appointmentId)}`)
  const sale = await sales.get(ctx, booking.saleId)
  const settings = { ...ctx.account, timezone }
  const isKept = state === 'open' && sale.state === 'open' && new Date(keptUntil) > ctx.now()
  const view = {
    status: state === 'lost' ? ('lost' as const) : isKept ? ('open' as const) : ('ended' as const),
    when: formatDateTimeRange(startTime, getEnd(booking), settings, localDate(ctx.now(), timezone)),
    zoneName: describeZone(timezone),
    amount: formatMoney(sale.amount, sale.currency),
    keptUntil: formatTime(new Date(keptUntil), settings),
    payAction: isKept ? sale.payAction : null,
    isLeftToCoach: refundState === 'failed',
    path: await findTypePath(ctx, booking),
  }
  return data({ view, coach: { name: context.tenant!.name, email: ctx.account.email } })
}

/** The page on which another time can be chosen. */
async function findTypePath(ctx: Ctx, { typeId }: PaidBooking): Promise<string> {
  const slug = typeId === null ? null : (await getAppointmentType(ctx, typeId).catch(() => null))?.slug
  const bookable = slug ? await getBookableType(ctx, slug).catch(() => null) : null
  return bookable ? `/book/${bookable.slug}` : '/book'
}

/** Null if the link doesn't work here. */
async function openPaidBooking(
  context: AppLoadContext,
  token: string,
): Promise<{ ctx: Ctx; booking: PaidBooking } | null> {
  const link = await openLink(context, readPaidBookingToken(context.requestContext.platform, token))
  if (!link) return null
  const ctx = await openAsVisitor(context)
  const booking = await findPaidBooking(ctx, 'id', link.id)
  return booking && { ctx, booking }
}

export const paidBookingMessages = {
  release: { done: null, failed: 'This could not be changed. Please try again.' },
}

/** The visitor doesn't want the time: it is free at once. */
export const paidBookingAction = publicFormActions(
  paidBookingMessages,
  {
    release: {
      schema: NoInput,
      run: async (context, _input, { params }) => {
        const link = await openPaidBooking(context, params.token ?? '')
        if (!link) throw appointment.notFound()
        await link.ctx.write((tx) => releasePaidBooking(tx, link.booking.id))
        return success({ to: await findTypePath(link.ctx, link.booking) })
      },
    },
  },
  { home: '/book' },
)
