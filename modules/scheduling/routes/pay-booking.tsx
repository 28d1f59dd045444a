import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Fact } from '../components/booking/fact.tsx'
import { WriteTo } from '../components/booking/write-to.tsx'
import { loadPaidBooking, paidBookingAction } from '../paid-bookings/page.server.ts'

/** Plain HTML, as the booking pages. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Pay for your session'),
  { name: 'robots', content: 'noindex' },
]

export const loader = ({ params, context }: LoaderFunctionArgs) => loadPaidBooking(context, params.token ?? '')

export const action = paidBookingAction

const titles = {
  open: 'Your time is not booked yet',
  ended: 'This time is no longer kept for you',
  lost: 'This time could not be booked',
}

export default function PayBookingPage() {
  const { view, coach } = useLoaderData<typeof loader>()
  if (!view || !coach)
    return (
      <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
        <h1 className="font-serif text-4xl text-balance">This link doesn’t work here</h1>
        <p className="mt-3 text-ink-2">It is incomplete or was changed. Open it again where you got it.</p>
      </div>
    )
  const { status, when, zoneName, amount, keptUntil, payAction, isLeftToCoach, path } = view
  const texts = {
    open: payAction
      ? `We keep it for you until ${keptUntil}. It is booked when you have paid.`
      : `We keep it for you until ${keptUntil}, but paying by card is not possible at the moment.`,
    ended: 'It was not paid in time, so nothing is booked.',
    lost: isLeftToCoach
      ? `Nothing is booked. ${coach.name} sends the ${amount} back to you.`
      : `Nothing is booked. All of the ${amount} goes back to your card. This takes 5 to 10 days, and you don’t have to do anything.`,
  }
  return (
    <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
      <h1 className="font-serif text-4xl text-balance">{titles[status]}</h1>
      <p className="mt-3 text-ink-2" role="status">
        {texts[status]}
      </p>
      <dl className="mt-6 grid gap-3 rounded-2xl border border-line p-6">
        <Fact label="When">
          {when} ({zoneName})
        </Fact>
        <Fact label={status === 'lost' ? 'Paid' : 'Price'}>{amount}</Fact>
      </dl>
      <div className="mt-6 flex flex-wrap gap-3">
        {payAction && (
          <form method="post" action={payAction} className="max-sm:w-full">
            <button type="submit" className="btn btn-primary btn-lg max-sm:w-full">{`Pay ${amount}`}</button>
          </form>
        )}
        {status === 'open' ? (
          <form method="post" className="max-sm:w-full">
            <input type="hidden" name="intent" value="release" />
            <button type="submit" className="btn btn-secondary btn-lg max-sm:w-full">
              Choose another time
            </button>
          </form>
        ) : (
          <Link className="btn btn-primary" to={path}>
            Choose another time
          </Link>
        )}
      </div>
      <WriteTo coach={coach} />
    </div>
  )
}
