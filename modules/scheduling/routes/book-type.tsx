import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { bookingAction } from '../booking/booking-action.server.ts'
import { loadBooking, type BookingData } from '../booking/booking-loader.server.ts'
import { BookingPage } from '../components/booking/booking-page.tsx'

/** Plain HTML: a visitor's phone loads no scripts but `PageScript`. */
export const handle = { scripts: false }

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data ? `Book ${data.type.name}` : 'Book a session')

export function loader({ request, params, context }: LoaderFunctionArgs) {
  return loadBooking(context, params.type ?? '', new URL(request.url))
}

export const action = bookingAction

export default function BookTypePage() {
  return <BookingPage data={useLoaderData<typeof loader>() as BookingData} />
}
