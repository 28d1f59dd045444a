import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import type { Fields } from '#app/lib/fields.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError, TextAreaField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { Fact } from '../components/booking/fact.tsx'
import { Month } from '../components/booking/month.tsx'
import { Times } from '../components/booking/times.tsx'
import { moveUrl } from '../booking/booking-url.ts'
import { WriteTo } from '../components/booking/write-to.tsx'
import { loadManagedBooking, managedBookingAction } from '../booking/managed-booking.server.ts'

/** Plain HTML, as the booking pages. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Your session'),
  { name: 'robots', content: 'noindex' },
]

export function loader({ params, request, context }: LoaderFunctionArgs) {
  return loadManagedBooking(context, params.token ?? '', new URL(request.url))
}

export const action = managedBookingAction

const formFields = {
  reason: { kind: 'text', label: 'Reason (optional)', max: 1000, optional: true },
  start: { kind: 'line', label: 'Time', required: 'Choose a time' },
} as const satisfies Fields

type Data = ReturnType<typeof useLoaderData<typeof loader>>
type Booking = NonNullable<Data['booking']>
type Coach = NonNullable<Data['coach']>

export default function ManageBookingPage() {
  const { problem, booking, coach, canBook } = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
      {booking && coach ? <Managed booking={booking} coach={coach} /> : <Problem problem={problem} coach={coach} />}
      {canBook && (!booking || booking.access === 'cancelled' || booking.access === 'over') && (
        <Link className="btn btn-secondary mt-6" to="/book">
          Book another session
        </Link>
      )}
    </div>
  )
}

function Problem({ problem, coach }: { problem: Data['problem']; coach: Coach | null }) {
  const texts = {
    invalid: 'The link is incomplete or was changed. Open it from the email again, or copy all of it.',
    elsewhere: 'The link belongs to another page. Open it from the email again.',
    deleted: 'This session no longer exists.',
  }
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">This link doesn’t work here</h1>
      <p className="mt-3 text-ink-2">{problem && texts[problem]}</p>
      {coach && <WriteTo coach={coach} />}
    </>
  )
}

const titles = {
  open: 'Your session',
  late: 'Your session',
  over: 'This session has begun or is over',
  cancelled: 'This session is cancelled',
}

const refundTexts = {
  due: () => 'It goes back to your card, which takes 5 to 10 days.',
  sent: () => 'It goes back to your card, which takes 5 to 10 days.',
  failed: (name: string) => `${name} sends it back to you.`,
}

function Managed({ booking, coach }: { booking: Booking; coach: Coach }) {
  const { access, tentative, title, when, zoneName, place, payment, notice, path, step, move, canMove } = booking
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">{titles[access]}</h1>
      {access === 'open' && tentative && (
        <p className="mt-3 text-ink-2">{coach.name} has your request and will confirm it by email.</p>
      )}
      <dl className="mt-6 grid gap-3 rounded-2xl border border-line p-6">
        <Fact label="What">{title}</Fact>
        <Fact label="When">
          {when} ({zoneName})
        </Fact>
        {place && access !== 'cancelled' && (
          <Fact label="Where">
            {place.startsWith('https://') ? (
              <a className="link" href={place} rel="noreferrer">
                {place}
              </a>
            ) : (
              place
            )}
          </Fact>
        )}
        {payment && (
          <Fact label="Paid">
            {payment.amount}
            {payment.refundState && `. ${refundTexts[payment.refundState](coach.name)}`}
          </Fact>
        )}
      </dl>
      {access === 'late' && <p className="mt-6 text-ink-2">It can be changed here until {notice} before it begins.</p>}
      {(access === 'open' || access === 'late') && !step && !move && (
        <div className="mt-6 flex flex-wrap gap-3">
          {access === 'open' && canMove && (
            <Link className="btn btn-primary" to={`${path}?step=move#move-title`}>
              Choose another time
            </Link>
          )}
          <a className="btn btn-secondary" href={`${path}/session.ics`}>
            Add to calendar
          </a>
          {access === 'open' && (
            <Link className="btn btn-ghost" to={`${path}?step=cancel`}>
              Cancel session
            </Link>
          )}
        </div>
      )}
      {step === 'cancel' && <CancelForm path={path} payment={payment} coach={coach} />}
      {move && <MoveForm path={path} move={move} zoneName={zoneName} />}
      {access !== 'cancelled' && <WriteTo coach={coach} />}
    </>
  )
}

type CancelProps = { path: string; payment: Booking['payment']; coach: Coach }

function CancelForm({ path, payment, coach }: CancelProps) {
  const { form, fields } = useServerForm({ reason: formFields.reason }, { id: 'cancel', intent: 'cancel' })
  return (
    <Form method="post" reloadDocument action={`${path}?step=cancel`} {...form.props} className="mt-6 grid gap-4">
      <input type="hidden" name="intent" value="cancel" />
      <h2 className="h2">Cancel this session?</h2>
      {payment && (
        <p>
          {payment.refund === 'automatic'
            ? `All of the ${payment.amount} goes back to your card.`
            : `Your payment of ${payment.amount} doesn’t go back by itself: ask ${coach.name}.`}
        </p>
      )}
      <FormError id={form.errorId} errors={form.errors} />
      <TextAreaField field={fields.reason} maxLength={formFields.reason.max} rows={3} />
      <Buttons path={path}>Cancel session</Buttons>
    </Form>
  )
}

type Move = NonNullable<Booking['move']>

/** A month as on the booking page. The button of the chosen time moves the session at once. */
function MoveForm({ path, move: { month, state }, zoneName }: { path: string; move: Move; zoneName: string }) {
  const { form, fields } = useServerForm(formFields, { id: 'move', intent: 'move' })
  const url = moveUrl(path)
  return (
    <section aria-labelledby="move-title" className="mt-6">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="move-title" className="h2 scroll-mt-4">
          Choose another time
        </h2>
        <Link className="link hit" to={path}>
          Keep it as it is
        </Link>
      </div>
      <FormError id={form.errorId} errors={form.errors ?? fields.start.errors} />
      <div className="mt-4 grid rounded-2xl border border-line sm:grid-cols-[minmax(0,1fr)_14rem]">
        <div className="min-w-0 border-line p-4 max-sm:border-b sm:border-r">
          <Month month={month} url={url} state={state} anchor="#move-title" />
        </div>
        <div id="times" className="min-w-0 scroll-mt-4 p-4 sm:scroll-mt-16">
          <h3 className="font-semibold">{month.day?.title ?? 'No free times'}</h3>
          <p className="mb-3 text-sm text-ink-3">{zoneName}</p>
          <Times month={month} url={url} state={state} intent="move" submitLabel="Move">
            <TextAreaField field={fields.reason} maxLength={formFields.reason.max} rows={2} />
          </Times>
        </div>
      </div>
    </section>
  )
}

function Buttons({ path, children }: { path: string; children: string }) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" variant="primary">
        {children}
      </Button>
      <Link className="btn btn-ghost" to={path}>
        Keep it as it is
      </Link>
    </div>
  )
}
