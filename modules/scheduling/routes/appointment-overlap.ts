import type { LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { parseId } from '#app/lib/url.ts'
import { getAppointment } from '../queries/appointments.ts'
import { instantPattern } from '../booking/booking-url.ts'
import { describeOverlap } from '../queries/overlaps.ts'

/** Names what is at the time to which an appointment is going to be moved, for the calendar after a drop. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const appointment = await getAppointment(ctx, parseId(params.id))
  const { searchParams } = new URL(request.url)
  const [start, end] = ['start', 'end'].map((name) => parseInstant(searchParams.get(name)))
  if (!start || !end || end <= start) throw new AppError('bad_request', 'Send `start` and `end`.')
  return Response.json({ text: await describeOverlap(ctx, appointment, { at: { start, end } }) })
}

const parseInstant = (text: string | null): Date | null =>
  text && instantPattern.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text) : null
