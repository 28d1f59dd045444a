import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { localDate } from '#app/lib/time.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { CircleCheck } from '#app/ui/components/icons.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { getSessionsLeft } from '#modules/core/slots.ts'
import { findLinkedClient } from '../booking-links/booking-links.ts'
import { describeZone } from '../booking/booking-loader.server.ts'
import { openAsVisitor } from '../booking/permissions.ts'
import { readConfirmation } from '../booking/signed-values.ts'
import { allowEmbedding } from '../embedding/embed-origins.ts'
import { formatDateTimeRange } from '../format.ts'
import { Fact } from '../components/booking/fact.tsx'
import { getManagePath } from '../messages/manage-link.ts'
import { findBookingPayment } from '../paid-bookings/describe.ts'
import { getBooking } from '../queries/bookings.ts'
import { appointment } from '../records.ts'

export const handle = { scripts: false }

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => pageTitle(matches, data?.title)

/** The current state of a booking. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const ctx = await openAsVisitor(context)
  const id = readConfirmation(ctx.platform, ctx.coachId, params.booking ?? '')
  if (id === null) throw appointment.notFound()
  const [{ startTime, endTime, timezone, emailedTo, ...booking }, clientId, payment, isEmbedded] = await Promise.all([
    getBooking(ctx, id),
    findLinkedClient(ctx, id),
    findBookingPayment(ctx, id),
    allowEmbedding(context, ctx, new URL(request.url)),
  ])
  const isOpen = booking.status === 'confirmed' || booking.status === 'scheduled'
  return {
    ...booking,
    isOpen,
    // Nothing is sent while the coach's own address is unconfirmed.
    emailedTo: isOpen && ctx.account.emailVerified ? emailedTo : null,
    sessionsLeft: await getSessionsLeft(ctx, clientId),
    paid: payment?.amount ?? null,
    isEmbedded,
    title: titles[booking.status],
    when: formatDateTimeRange(startTime, endTime, { ...ctx.account, timezone }, localDate(ctx.now(), timezone)),
    zoneName: describeZone(timezone),
    manage: getManagePath(ctx, id),
  }
}

const titles = {
  confirmed: 'You are booked',
  scheduled: 'Your request is sent',
  cancelled: 'This session was cancelled',
  completed: 'This session took place',
}

export default function BookConfirmedPage() {
  const { title, status, name, when, zoneName, location, meetingUrl, emailedTo, ...booking } =
    useLoaderData<typeof loader>()
  const { isOpen, sessionsLeft, paid, manage, isEmbedded } = booking
  // Other pages don't open in a frame.
  const target = isEmbedded ? '_blank' : undefined
  return (
    <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
      <h1 className="flex items-start gap-3 font-serif text-4xl text-balance">
        {status === 'confirmed' && <CircleCheck className="i mt-2 !size-7 shrink-0 text-success-text" />}
        {title}
      </h1>
      {status === 'scheduled' && <p className="mt-3 text-ink-2">The time is kept for you until it is confirmed.</p>}
      <dl className="mt-6 grid gap-3 rounded-2xl border border-line p-6">
        <Fact label="What">{name}</Fact>
        <Fact label="When">
          {when} ({zoneName})
        </Fact>
        {location && <Fact label="Where">{location}</Fact>}
        {meetingUrl && (
          <Fact label="Where">
            <a className="link" href={meetingUrl} rel="noreferrer" target={target}>
              {meetingUrl}
            </a>
          </Fact>
        )}
        {paid && <Fact label="Paid">{paid}</Fact>}
        {sessionsLeft && <Fact label="Your package">{sessionsLeft}</Fact>}
      </dl>
      {emailedTo && (
        <p className="mt-4 text-ink-2">
          The details are also in an email to <span className="font-semibold wrap-anywhere">{emailedTo}</span>.
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {isOpen && (
          <>
            <a className="btn btn-primary" href={`${manage}/session.ics`} target={target}>
              Add to calendar
            </a>
            <Link className="btn btn-secondary" to={manage} target={target}>
              Change or cancel
            </Link>
          </>
        )}
        <Link className="btn btn-ghost" to={isEmbedded ? '/book?embed=1' : '/book'}>
          Book another session
        </Link>
      </div>
    </div>
  )
}
