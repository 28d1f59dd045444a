import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import type { Fields } from '#app/lib/fields.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FieldNote, FormError, TextAreaField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { Fact } from '../components/booking/fact.tsx'
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

function Managed({ booking, coach }: { booking: Booking; coach: Coach }) {
  const { access, tentative, title, when, zoneName, place, notice, path, step, times, canMove } = booking
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
      </dl>
      {access === 'late' && <p className="mt-6 text-ink-2">It can be changed here until {notice} before it begins.</p>}
      {access === 'open' && !step && !times && (
        <div className="mt-6 flex flex-wrap gap-3">
          {canMove && (
            <Link className="btn btn-primary" to={`${path}?step=move`}>
              Choose another time
            </Link>
          )}
          <a className="btn btn-secondary" href={`${path}/session.ics`}>
            Add to calendar
          </a>
          <Link className="btn btn-ghost" to={`${path}?step=cancel`}>
            Cancel session
          </Link>
        </div>
      )}
      {step === 'cancel' && <CancelForm path={path} />}
      {times && <MoveForm path={path} times={times} />}
      {access !== 'cancelled' && <WriteTo coach={coach} />}
    </>
  )
}

function WriteTo({ coach: { name, email } }: { coach: Coach }) {
  return (
    <p className="mt-6 text-ink-3">
      Questions?{' '}
      <a className="link hit wrap-anywhere" href={`mailto:${email}`}>
        Write to {name}
      </a>
    </p>
  )
}

function CancelForm({ path }: { path: string }) {
  const { form, fields } = useServerForm({ reason: formFields.reason }, { id: 'cancel', intent: 'cancel' })
  return (
    <Form method="post" reloadDocument action={`${path}?step=cancel`} {...form.props} className="mt-6 grid gap-4">
      <input type="hidden" name="intent" value="cancel" />
      <h2 className="h2">Cancel this session?</h2>
      <FormError id={form.errorId} errors={form.errors} />
      <TextAreaField field={fields.reason} maxLength={formFields.reason.max} rows={3} />
      <Buttons path={path}>Cancel session</Buttons>
    </Form>
  )
}

function MoveForm({ path, times: { days, isFirst, later } }: { path: string; times: NonNullable<Booking['times']> }) {
  const { form, fields } = useServerForm({ start: formFields.start }, { id: 'move', intent: 'move' })
  return (
    <Form method="post" reloadDocument action={`${path}?step=move`} {...form.props} className="mt-6 grid gap-4">
      <input type="hidden" name="intent" value="move" />
      <h2 className="h2">Choose another time</h2>
      <FormError id={form.errorId} errors={form.errors} />
      {days.length === 0 && <p className="text-ink-2">There are no free times in the next two months.</p>}
      {days.map(({ date, label, times }) => (
        <fieldset key={date} className="min-w-0">
          <legend className="font-semibold">{label}</legend>
          <div className="mt-1 grid grid-cols-2 gap-x-4 sm:grid-cols-4">
            {times.map(({ value, label: time }) => (
              <label key={value} className="num flex min-h-11 cursor-pointer items-center gap-3">
                <input type="radio" name="start" value={value} className="check" />
                {time}
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      <FieldNote field={fields.start} />
      <p className="flex flex-wrap gap-4">
        {!isFirst && (
          <Link className="link hit" to={`${path}?step=move`}>
            Earliest times
          </Link>
        )}
        {later && (
          <Link className="link hit" to={`${path}?step=move&from=${later}`}>
            Later times
          </Link>
        )}
      </p>
      {days.length > 0 && <Buttons path={path}>Move session</Buttons>}
    </Form>
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
