import { AppError } from '#app/lib/errors.ts'
import { getErrorCode } from '#db/error-mapping.ts'
import { setPlanMode } from '#db/read-pool.ts'
import { logActivity } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { createHoldToken, hashHoldToken } from '../availability/hold-token.ts'
import {
  checkOverlap,
  checkSlot,
  type RefusalReason,
  type Slot,
  type SlotRequest,
  type SlotRules,
} from '../availability/slots.ts'
import type { Answer } from '../booking-fields.ts'
import { countsOtherCalendars, getAvailability, toSlotRequest, type Availability } from '../queries/availability.ts'
import { getAppointment } from '../queries/appointments.ts'
import { appointmentType, type AppointmentRecord } from '../records.ts'
import { insertAppointment, lockAppointment, lockAttendee, updateAppointment } from './appointments.ts'

export type SlotChoice = {
  typeId: number
  start: Date
  /** By default the usual one of the type. */
  durationMinutes?: number | undefined
  /** The visitor's own hold. */
  holdToken?: string | undefined
  /** By a personal link, which works for a hidden type too. */
  isInvited?: boolean
  /** It was agreed on when it was free: only what takes the time refuses it now, and its beginning. */
  isAgreed?: boolean
}
export type Hold = { token: string; expiresAt: Date }

/** Minutes for which a visitor has a slot while filling in the form. */
export const holdMinutes = 10

/**
 * Keeps a slot for a visitor for ten minutes, or until `until`, instead of the one that `holdToken` has, which then has
 * it. Throws conflict if it can't be booked, and not_found for an unknown type or one that is hidden.
 */
export async function holdSlot(ctx: WriteCtx, choice: SlotChoice & { until?: Date }): Promise<Hold> {
  authorize(ctx, 'scheduling:booking:write')
  const { slot, rules } = await lockSlot(ctx, choice)
  const token = choice.holdToken ?? createHoldToken()
  const expiresAt = choice.until ?? new Date(ctx.now().getTime() + holdMinutes * 60_000)
  const id = await claimTime(ctx, { slot, rules, token, expiresAt })
  await ctx.defer({
    name: 'scheduling.keep-hold',
    text: `update busy_time set lane = int8range(-id, -id, '[]') where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id],
  })
  return { token, expiresAt }
}

/** Gives a held slot back. An unknown or expired hold is none. */
export async function releaseHold(ctx: WriteCtx, token: string): Promise<void> {
  authorize(ctx, 'scheduling:booking:write')
  await deleteHold(ctx, token)
}

export type NewBooking = SlotChoice & {
  attendee: { clientId: number } | { prospectId: number }
  /** The attendee was added in this transaction, so that nothing can have happened to it. */
  isNewAttendee?: boolean
  /** The plan of the coach doesn't refuse it. */
  hasPaid?: boolean
  /** The visitor's time zone. */
  timezone: string
  /** By default the name of the type. */
  title?: string
  description?: string | null
  meetingUrl?: string | null
  location?: string | null
  answers?: Answer[]
}

/**
 * Books a slot for a visitor: confirmed at once, or scheduled until the coach confirms it. Concurrent bookings of one
 * slot give one. Throws conflict if it can't be booked, and not_found for the type, the client or the prospect.
 */
export async function bookSlot(ctx: WriteCtx, booking: NewBooking): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:booking:write')
  const attendee = { clientId: null, prospectId: null, ...booking.attendee }
  // Lock order: attendee, schedule (decision 0051).
  if (!booking.isNewAttendee) await lockAttendee(ctx, attendee)
  const { slot, rules, type } = await lockSlot(ctx, booking)
  if (booking.isAgreed) await releaseClaim(ctx, await claimTime(ctx, { slot, rules }))
  else await checkRoom(ctx, { slot, rules })
  const appointment = {
    ...attendee,
    title: booking.title ?? type.name,
    description: booking.description ?? null,
    startTime: slot.start,
    endTime: slot.end,
    timezone: booking.timezone,
    appointmentTypeId: type.id,
    status: type.confirmation === 'manual' ? ('scheduled' as const) : ('confirmed' as const),
    meetingUrl: booking.meetingUrl ?? null,
    bookedOnline: true,
    location: booking.location ?? null,
    answers: booking.answers ?? [],
  }
  const booked = await refuseOverlap(() =>
    insertAppointment(ctx, appointment, {
      attendee: booking.isNewAttendee ? 'new' : 'locked',
      hasPaid: booking.hasPaid ?? false,
    }),
  )
  const { clientId, clientName, prospectName, title, status } = booked
  await logActivity(ctx, {
    type: 'booking_made',
    title: status === 'scheduled' ? 'Session requested' : 'Session booked',
    description: `${clientName ?? prospectName}, ${title}`,
    clientId,
  })
  return booked
}

/**
 * Moves a visitor's booking to another slot; the old one is free at once. Its duration stays unless another is given.
 * Throws conflict if the slot can't be booked, and not_found for an appointment without a type.
 */
export async function moveBooking(
  ctx: WriteCtx,
  appointmentId: number,
  choice: Omit<SlotChoice, 'typeId'>,
): Promise<AppointmentRecord> {
  authorize(ctx, 'scheduling:booking:write')
  const { status } = await lockAppointment(ctx, appointmentId)
  if (status === 'cancelled' || status === 'completed')
    throw new AppError('conflict', `This session is ${status} and can't be moved.`)
  const before = await getAppointment(ctx, appointmentId)
  const { appointmentTypeId: typeId } = before
  if (typeId === null) throw appointmentType.notFound()
  const startsAt = new Date(before.startTime)
  const durationMinutes = choice.durationMinutes ?? (new Date(before.endTime).getTime() - startsAt.getTime()) / 60_000
  const { slot, rules } = await lockSlot(ctx, { ...choice, typeId, durationMinutes }, appointmentId)
  await ctx.defer({
    name: 'scheduling.free-time',
    text: 'delete from busy_time where coach_id = $1 and appointment_id = $2',
    values: [ctx.coachId, appointmentId],
  })
  await checkRoom(ctx, { slot, rules })
  return refuseOverlap(() => updateAppointment(ctx, appointmentId, { startTime: slot.start, endTime: slot.end }))
}

type LockedSlot = { slot: Slot; rules: SlotRules; type: Availability['type'] }

/**
 * Makes other bookings of the coach wait, and checks the slot as the booking page does. Gives up the visitor's hold.
 */
async function lockSlot(ctx: WriteCtx, choice: SlotChoice, exceptAppointmentId?: number): Promise<LockedSlot> {
  const { typeId, start, durationMinutes, holdToken, isInvited = false, isAgreed = false } = choice
  await ctx.defer(setPlanMode('force_generic_plan'))
  await lockBookings(ctx)
  if (holdToken !== undefined) await deleteHold(ctx, holdToken)
  const to = new Date(start.getTime() + 1)
  const availability = await getAvailability(ctx, { type: { id: typeId }, from: start, to, exceptAppointmentId })
  const isOpen = availability.type.visibility !== 'hidden' || isInvited || exceptAppointmentId !== undefined
  if (!isOpen) throw appointmentType.notFound()
  const request = toSlotRequest(ctx, isAgreed ? offering(availability, durationMinutes) : availability, durationMinutes)
  const reason = isAgreed ? checkAgreed(request, start) : checkSlot(request, start)
  if (reason) throw slotRefused(reason)
  const end = new Date(start.getTime() + request.type.durationMinutes * 60_000)
  return { slot: { start, end }, rules: request.type, type: availability.type }
}

/** The duration that was agreed on may no longer be offered. */
const offering = (availability: Availability, minutes: number | undefined): Availability =>
  minutes === undefined ? availability : { ...availability, type: { ...availability.type, durations: [minutes] } }

const checkAgreed = (request: Omit<SlotRequest, 'from' | 'to'>, start: Date): RefusalReason | null =>
  start <= request.now ? 'notice' : checkOverlap(request, start)

/** Serializes the bookings of a coach by locking the default schedule, and deletes expired holds. */
export async function lockBookings(ctx: WriteCtx): Promise<void> {
  await ctx.defer({
    name: 'scheduling.lock-bookings',
    text: `with expired as (${expiredHoldsSql})
      select id from availability_schedule where coach_id = $1 and is_default and deleted_at is null
      for no key update`,
    values: [ctx.coachId, ctx.now()],
  })
}

export async function deleteExpiredHolds(ctx: Pick<WriteCtx, 'query' | 'coachId' | 'now'>): Promise<void> {
  await ctx.query({
    name: 'scheduling.delete-expired-holds',
    text: expiredHoldsSql,
    values: [ctx.coachId, ctx.now()],
  })
}

const expiredHoldsSql = 'delete from busy_time where coach_id = $1 and expires_at <= $2'

type Room = { slot: Slot; rules: SlotRules }
type Claim = Room & { token?: string; expiresAt?: Date }

/** Takes a time in all lanes, which conflicts with every other one. */
const claimSql = `insert into busy_time
    (coach_id, appointment_type_id, start_time, end_time, during, lane, hold_token_hash, expires_at)
  values ($1, $2, $3, $4, tstzrange($5, $6), '(,)', $7, $8)`

/**
 * Takes a time, buffers included, unless anything overlaps. Waits for concurrent changes of the coach. Throws conflict.
 */
async function claimTime(ctx: WriteCtx, { slot, rules, token, expiresAt }: Claim): Promise<number> {
  const { from, to } = await makeRoom(ctx, { slot, rules })
  const [claim] = await ctx.query<{ id: number }>({
    name: 'scheduling.claim-time',
    text: `${claimSql} on conflict do nothing returning id`,
    values: [
      ctx.coachId,
      rules.typeId,
      slot.start,
      slot.end,
      from,
      to,
      token === undefined ? null : hashHoldToken(token),
      expiresAt ?? null,
    ],
  })
  if (!claim) throw slotRefused('booked')
  return claim.id
}

/** Makes room for the appointment that is written next; until the commit concurrent claims wait. */
async function releaseClaim(ctx: WriteCtx, id: number): Promise<void> {
  await ctx.defer({
    name: 'scheduling.release-agreed-claim',
    text: 'delete from busy_time where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
}

/**
 * As `claimTime` for the appointment that is written next: the claim makes room for it at once, and until the commit
 * concurrent claims wait. Refused together with the next statement, so call that by `refuseOverlap`.
 */
async function checkRoom(ctx: WriteCtx, { slot, rules }: Room): Promise<void> {
  const { from, to } = await makeRoom(ctx, { slot, rules })
  await ctx.defer({
    name: 'scheduling.check-room',
    text: claimSql,
    values: [ctx.coachId, rules.typeId, slot.start, slot.end, from, to, null, null],
  })
  await ctx.defer({
    name: 'scheduling.release-claim',
    text: `delete from busy_time where coach_id = $1 and end_time = $3 and start_time = $2 and lane = '(,)'
      and appointment_id is null and hold_token_hash is null and source is null`,
    values: [ctx.coachId, slot.start, slot.end],
  })
}

/** Throws conflict when the constraint refuses the time. */
async function refuseOverlap<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (getErrorCode(error) === '23P01') throw slotRefused('booked')
    throw error
  }
}

async function makeRoom(ctx: WriteCtx, { slot: { start, end }, rules }: Room): Promise<{ from: Date; to: Date }> {
  const from = new Date(start.getTime() - rules.bufferBefore * 60_000)
  const to = new Date(end.getTime() + rules.bufferAfter * 60_000)
  if (!countsOtherCalendars(ctx)) await ignoreOtherCalendars(ctx, from, to)
  return { from, to }
}

/** Without a lane nothing conflicts with them. `getAvailability` still counts them once the plan has them again. */
async function ignoreOtherCalendars(ctx: WriteCtx, from: Date, to: Date): Promise<void> {
  await ctx.query({
    name: 'scheduling.ignore-other-calendars',
    text: `update busy_time set lane = 'empty'
      where coach_id = $1 and source is not null and end_time > $2 and start_time < $3`,
    values: [ctx.coachId, from, to],
  })
}

async function deleteHold(ctx: WriteCtx, token: string): Promise<void> {
  await ctx.defer({
    name: 'scheduling.release-hold',
    text: 'delete from busy_time where coach_id = $1 and hold_token_hash = $2',
    values: [ctx.coachId, hashHoldToken(token)],
  })
}

const messages: Partial<Record<RefusalReason, string>> = {
  booked: 'This time has just been taken. Please choose another one.',
  notice: 'This time is too soon. Please choose a later one.',
  window: 'This time is too far ahead. Please choose an earlier one.',
}

const slotRefused = (reason: RefusalReason): AppError =>
  new AppError('conflict', messages[reason] ?? 'This time is no longer available. Please choose another one.', {
    field: 'start',
    subject: 'slot',
  })
