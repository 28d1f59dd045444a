import { data } from '@remix-run/node'
import type { AppLoadContext } from '@remix-run/node'
import { z } from 'zod'
import { localDate } from '#app/lib/time.ts'
import { emptyAsNull, multiLine, requiredLine } from '#app/lib/zod-types.ts'
import { appointment } from '../records.ts'
import { publicFormActions, success } from '#modules/core/form-actions.server.ts'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { countView } from '#tenants/auth/view-limits.ts'
import type { Ctx } from '#tenants/context.ts'
import { formatDateTimeRange, formatMinutes } from '../format.ts'
import { readManageToken } from '../messages/manage-link.ts'
import { listPublicTypes } from '../queries/bookable-types.ts'
import { findManagedBooking, type ManagedBooking } from '../queries/managed-booking.ts'
import { findBookingPayment } from '../paid-bookings/describe.ts'
import { getAppointmentType } from '../queries/types.ts'
import { cancelBooking, chooseDuration, rescheduleBooking } from '../services/managed-bookings.ts'
import { describeZone, loadMonth } from './booking-loader.server.ts'
import { instantPattern, moveUrl } from './booking-url.ts'
import { bookingRules, slotRules } from './limits.ts'
import { openAsVisitor } from './permissions.ts'

/**
 * The page of a signed link: the present state of an appointment, and what its attendee may do. A GET changes nothing.
 */
export async function loadManagedBooking(context: AppLoadContext, token: string, url: URL) {
  const link = await openManageLink(context, token)
  if (!link.ctx) return data({ problem: link.problem, coach: null, canBook: false, booking: null }, { status: 404 })
  const { ctx, appointmentId } = link
  const [booking, types, payment] = await Promise.all([
    findManagedBooking(ctx, appointmentId),
    listPublicTypes(ctx),
    findBookingPayment(ctx, appointmentId),
  ])
  const coach = { name: context.tenant!.name, email: ctx.account.email }
  const canBook = types.length > 0
  if (!booking) return data({ problem: 'deleted' as const, coach, canBook, booking: null }, { status: 404 })
  const step = booking.access === 'open' ? url.searchParams.get('step') : null
  const { timezone, startTime, endTime } = booking
  const view = {
    title: booking.title,
    access: booking.access,
    tentative: booking.tentative,
    isCompleted: booking.status === 'completed',
    when: formatDateTimeRange(startTime, endTime, { ...ctx.account, timezone }, localDate(ctx.now(), timezone)),
    zoneName: describeZone(timezone),
    place: booking.place,
    payment,
    notice: formatMinutes(booking.notice),
    canMove: booking.typeId !== null,
    path: url.pathname,
    step: step === 'cancel' ? ('cancel' as const) : null,
    move: step === 'move' && booking.typeId !== null ? await loadMove(context, ctx, booking, url) : null,
  }
  return { problem: null, coach, canBook, booking: view }
}

type Link = { ctx: Ctx; appointmentId: number; problem?: undefined } | { ctx: null; problem: 'invalid' | 'elsewhere' }

/** Counts links that don't work, so that nobody can try many. */
export async function openManageLink(context: AppLoadContext, token: string): Promise<Link> {
  const { platform, address } = context.requestContext
  const link = readManageToken(platform, token)
  if (link && link.coachId === context.tenant?.id) return { ctx: await openAsVisitor(context), appointmentId: link.id }
  await countAttempt(platform, { rules: tokenRules(address), address })
  return { ctx: null, problem: link ? 'elsewhere' : 'invalid' }
}

/** The month from which the attendee chooses another time, in the zone of the emails. */
async function loadMove(context: AppLoadContext, ctx: Ctx, booking: ManagedBooking, url: URL) {
  const { address } = context.requestContext
  countView(ctx.platform, { rules: slotRules(address), address })
  const type = await getAppointmentType(ctx, booking.typeId!)
  const duration = String(chooseDuration(type.durations, booking))
  const { month, day, start } = moveUrl(url.pathname).parse(url)
  const state = { zone: null, duration: null, month, day, start, step: null, hold: null, embed: null }
  const visit = { ctx, type, zone: booking.timezone, state: { ...state, duration }, moved: booking }
  return { state, month: await loadMonth(visit) }
}

export const managedBookingMessages = {
  cancel: { done: { title: 'The session is cancelled' }, failed: 'It could not be cancelled. Please try again.' },
  move: { done: { title: 'The session is moved' }, failed: 'It could not be moved. Please try again.' },
}

const start = requiredLine('Choose a time').refine(
  (value) => value === '' || (instantPattern.test(value) && !Number.isNaN(Date.parse(value))),
  'Choose a time',
)

const reason = emptyAsNull(multiLine(1000)).default(null)

export const managedBookingAction = publicFormActions(
  managedBookingMessages,
  {
    cancel: {
      schema: z.object({ reason }),
      run: (context, { reason }, { params, request }) =>
        change(context, params.token ?? '', request, (ctx, id) => ctx.write((tx) => cancelBooking(tx, id, { reason }))),
    },
    move: {
      schema: z.object({ start: start.prefault(''), reason }),
      run: (context, input, { params, request }) =>
        change(context, params.token ?? '', request, (ctx, id) =>
          ctx.write((tx) => rescheduleBooking(tx, id, { start: new Date(input.start), reason: input.reason })),
        ),
    },
  },
  { home: '/book' },
)

async function change(
  context: AppLoadContext,
  token: string,
  request: Request,
  work: (ctx: Ctx, appointmentId: number) => Promise<void>,
) {
  const link = await openManageLink(context, token)
  if (!link.ctx) throw appointment.notFound()
  const { address } = context.requestContext
  await countAttempt(link.ctx.platform, { rules: bookingRules(address, link.ctx.coachId), address })
  await work(link.ctx, link.appointmentId)
  return success({ to: new URL(request.url).pathname })
}
