import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { isStorageFull } from '#tenants/storage.ts'
import type { RefundRule } from '../booking-fields.ts'
import { toPlace } from '../booking/places.ts'
import { getAppointmentType } from '../queries/types.ts'
import type { BookableType } from '../queries/bookable-types.ts'
import { bookSlot, holdSlot, releaseHold } from '../services/bookings.ts'
import type { VisitorBooking } from '../services/visitor-bookings.ts'
import { canBePaid, getBookingPrice, getFormerSales, getOnlineSales, getRefundRule } from './online-sales.ts'
import { refundQueue } from './refund-plan.ts'
import type { BookingDetails, PaidBookingState, RefundState } from './states.ts'

export const endQueue = 'scheduling.end-paid-booking'

/** As long as the first payment page can be open. */
const payableMs = 31 * 60_000
/** Minutes for the news of a payment in the last second. */
const newsMs = 5 * 60_000
/** Seconds after its end until a payment page is asked for a last time. */
const askedAfter = 60
/** No payment page opens later: nobody has a slot for days without paying. */
const renewableMs = 2 * 3_600_000

export type PaidBooking = {
  id: number
  saleId: number
  typeId: number | null
  appointmentId: number | null
  state: PaidBookingState
  startTime: string
  durationMinutes: number
  timezone: string
  details: Partial<BookingDetails>
  keptUntil: string
  refund: RefundRule
  refundState: RefundState | null
  createdAt: string
}

const paidBookingColumns = `id, sale_id as "saleId", appointment_type_id as "typeId",
  appointment_id as "appointmentId", state, ${isoTimestamp('start_time')} as "startTime",
  duration_minutes as "durationMinutes", timezone, details, ${isoTimestamp('kept_until')} as "keptUntil", refund,
  refund_state as "refundState", ${isoTimestamp('created_at')} as "createdAt"`

/** Null without one. */
export async function findPaidBooking(
  ctx: Pick<Ctx, 'coachId' | 'query'>,
  column: 'id' | 'sale_id' | 'appointment_id',
  value: number,
): Promise<PaidBooking | null> {
  const [found] = await ctx.query<PaidBooking>({
    name: `scheduling.paid-booking-by-${column}`,
    text: `select ${paidBookingColumns} from paid_booking where coach_id = $1 and ${column} = $2`,
    values: [ctx.coachId, value],
  })
  return found ?? null
}

export const getEnd = ({ startTime, durationMinutes }: Pick<PaidBooking, 'startTime' | 'durationMinutes'>): string =>
  new Date(new Date(startTime).getTime() + durationMinutes * 60_000).toISOString()

/** Visitors can't send it as theirs: it is no token. */
const toHoldToken = (saleId: number): string => `sale:${saleId}`

/**
 * Keeps a slot while a visitor pays for it. Returns the id of its sale. Throws conflict if it can't be booked, or can't
 * be paid at the moment.
 */
export async function startPaidBooking(
  ctx: WriteCtx,
  type: BookableType,
  { name, email, phone, place, notes, answers, timezone, start, durationMinutes, holdToken }: VisitorBooking,
): Promise<number> {
  authorize(ctx, 'scheduling:booking:write')
  const sales = getOnlineSales(ctx)
  const price = getBookingPrice(type)
  if (!sales || price === null || !(await canBePaid(ctx, type)) || (await isStorageFull(ctx)))
    throw new AppError('conflict', 'This can’t be paid at the moment. Please get in touch instead.')
  const { name: typeName, productId } = type
  const offer = productId === null ? { name: typeName, amount: price } : { productId }
  const saleId = await sales.start(ctx, { ...offer, buyer: { name, email } })
  const keptUntil = new Date(ctx.now().getTime() + payableMs)
  if (holdToken !== undefined) await releaseHold(ctx, holdToken)
  await holdSlot(ctx, {
    typeId: type.id,
    start,
    durationMinutes,
    holdToken: toHoldToken(saleId),
    until: new Date(keptUntil.getTime() + newsMs),
  })
  const details: BookingDetails = { phone, place, notes, answers }
  const id = await insertRow(ctx, {
    table: 'paid_booking',
    name: 'scheduling.start-paid-booking',
    row: {
      saleId,
      appointmentTypeId: type.id,
      startTime: start,
      durationMinutes: durationMinutes ?? type.durations[0]!,
      timezone,
      details: JSON.stringify(details),
      keptUntil,
      refund: getRefundRule(type),
      cancellationNoticeMinutes: type.cancellationNoticeMinutes ?? 0,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
  })
  await planEnd(ctx, id, keptUntil)
  return saleId
}

function planEnd(ctx: WriteCtx, id: number, keptUntil: Date): Promise<void> {
  const startAfter = Math.ceil((keptUntil.getTime() - ctx.now().getTime()) / 1000) + askedAfter
  return ctx.enqueue(endQueue, { coachId: ctx.coachId, paidBookingId: id }, { startAfter })
}

/**
 * Keeps the slot until a payment page closes. Throws conflict if it is no longer kept. Does nothing for other sales.
 */
export async function keepPaidBooking(
  ctx: WriteCtx,
  { saleId, until }: { saleId: number; until: Date },
): Promise<void> {
  const booking = await lockPaidBooking(ctx, saleId)
  if (!booking) return
  if (booking.typeId === null) throw new AppError('conflict', 'This session is no longer offered.', { subject: 'slot' })
  const now = ctx.now().getTime()
  if (Date.parse(booking.keptUntil) <= now || now - Date.parse(booking.createdAt) > renewableMs)
    throw new AppError('conflict', 'This time is no longer kept for you.', { subject: 'slot' })
  await holdSlot(ctx, { ...toSlotChoice(booking, booking.typeId), until: new Date(until.getTime() + newsMs) })
  await ctx.query({
    name: 'scheduling.keep-paid-booking',
    text: `update paid_booking set kept_until = $3, state = 'open', updated_at = $4 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, booking.id, until, ctx.now()],
  })
  await planEnd(ctx, booking.id, until)
}

/** Books what was paid for. A slot that was lost in the meantime is not booked, and the payment goes back. */
export async function deliverPaidBooking(
  ctx: WriteCtx,
  { saleId, clientId }: { saleId: number; clientId: number | null },
): Promise<void> {
  const booking = await lockPaidBooking(ctx, saleId)
  if (!booking || booking.state === 'booked' || booking.state === 'lost') return
  const appointmentId = await tryToBook(ctx, booking, clientId)
  await ctx.query({
    name: 'scheduling.deliver-paid-booking',
    text: `update paid_booking set state = case when $3::bigint is null then 'lost' else 'booked' end, appointment_id = $3,
        refund_state = case when $3 is null then 'due' end, details = '{}', updated_at = $4
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, booking.id, appointmentId, ctx.now()],
  })
  if (appointmentId === null)
    await ctx.enqueue(refundQueue, { coachId: ctx.coachId, paidBookingId: booking.id, saleId })
}

/** Null if the slot can't be booked: what refuses it changes nothing. */
async function tryToBook(ctx: WriteCtx, booking: PaidBooking, clientId: number | null): Promise<number | null> {
  const { typeId, timezone, details } = booking
  if (clientId === null || typeId === null) return null
  const { phone = '', place = null, notes = null, answers = [] } = details
  try {
    const type = await getAppointmentType(ctx, typeId)
    const { id } = await bookSlot(ctx, {
      ...toSlotChoice(booking, typeId),
      attendee: { clientId },
      hasPaid: true,
      timezone,
      description: notes,
      answers,
      ...toPlace(type, { place, phone }),
    })
    return id
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** The slot as it was agreed on, also for a type that is hidden by now. */
const toSlotChoice = ({ saleId, startTime, durationMinutes }: PaidBooking, typeId: number) => ({
  typeId,
  start: new Date(startTime),
  durationMinutes,
  holdToken: toHoldToken(saleId),
  isInvited: true,
  isAgreed: true,
})

async function lockPaidBooking(ctx: WriteCtx, saleId: number): Promise<PaidBooking | null> {
  const [found] = await ctx.query<PaidBooking>({
    name: 'scheduling.lock-paid-booking',
    text: `select ${paidBookingColumns} from paid_booking where coach_id = $1 and sale_id = $2 for update`,
    values: [ctx.coachId, saleId],
  })
  return found ?? null
}

/**
 * Ends what a visitor doesn't pay for: the slot is free at once. A payment that arrives all the same is still booked.
 */
export async function releasePaidBooking(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'scheduling:booking:write')
  const found = await findPaidBooking(ctx, 'id', id)
  if (found?.state !== 'open') return
  // Lock order: sale, booking.
  await getFormerSales(ctx)?.withdraw(ctx, found.saleId)
  const [released] = await ctx.query({
    name: 'scheduling.release-paid-booking',
    text: `update paid_booking set state = 'released', updated_at = $3
      where coach_id = $1 and id = $2 and state = 'open' returning id`,
    values: [ctx.coachId, id, ctx.now()],
  })
  if (released) await releaseHold(ctx, toHoldToken(found.saleId))
}

/** Once a payment page is closed: asks for its payment a last time while the slot is still kept. */
export async function endPaidBooking(ctx: WriteCtx, id: number): Promise<void> {
  const found = await findPaidBooking(ctx, 'id', id)
  if (found?.state !== 'open' || new Date(found.keptUntil) > ctx.now()) return
  await getFormerSales(ctx)?.withdraw(ctx, found.saleId)
  await ctx.query({
    name: 'scheduling.end-paid-booking',
    text: `update paid_booking set state = 'released', updated_at = $3
      where coach_id = $1 and id = $2 and state = 'open'`,
    values: [ctx.coachId, id, ctx.now()],
  })
}

const keptDays = 30

/** Deletes what visitors never paid, with what they wrote. */
export async function forgetPaidBookings(ctx: Pick<WriteCtx, 'query' | 'coachId' | 'now'>): Promise<void> {
  await ctx.query({
    name: 'scheduling.forget-paid-bookings',
    text: `delete from paid_booking where coach_id = $1 and state in ('open', 'released') and created_at < $2`,
    values: [ctx.coachId, new Date(ctx.now().getTime() - keptDays * 86_400_000)],
  })
}
