import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { bookingAction } from '../booking/booking-action.server.ts'
import type { BookingData } from '../booking/booking-loader.server.ts'
import { loadLinkBooking, type LinkProblem } from '../booking/link-loader.server.ts'
import { BookingPage } from '../components/booking/booking-page.tsx'
import { WriteTo } from '../components/booking/write-to.tsx'

/** Plain HTML, as the booking pages. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Book your session'),
  { name: 'robots', content: 'noindex' },
]

export function loader({ params, request, context }: LoaderFunctionArgs) {
  return loadLinkBooking(context, params.token ?? '', new URL(request.url))
}

export const action = bookingAction

const problems: Record<LinkProblem, { title: string; text: string }> = {
  invalid: {
    title: 'This link doesn’t work',
    text: 'It is incomplete or was changed. Open it again where you got it, or copy all of it.',
  },
  elsewhere: {
    title: 'This link doesn’t work here',
    text: 'It belongs to another page. Open it again where you got it.',
  },
  revoked: { title: 'This link is no longer valid', text: 'It was withdrawn. Ask for a new one.' },
  used: { title: 'This link was used', text: 'A session was booked with it, and it works only once.' },
  expired: { title: 'This link has expired', text: 'Ask for a new one.' },
}

export default function BookLinkPage() {
  const { problem, booking, coach, canBook, session } = useLoaderData<typeof loader>()
  if (problem === null) return <BookingPage data={booking as BookingData} />
  const { title, text } = problems[problem]
  return (
    <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
      <h1 className="font-serif text-4xl text-balance">{title}</h1>
      <p className="mt-3 text-ink-2">{text}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        {session && (
          <Link className="btn btn-primary" to={session}>
            See the session
          </Link>
        )}
        {canBook && (
          <Link className="btn btn-secondary" to="/book">
            Book another session
          </Link>
        )}
      </div>
      {coach && <WriteTo coach={coach} />}
    </div>
  )
}
