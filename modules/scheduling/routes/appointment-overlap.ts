import type { LoaderFunctionArgs } from '@remix-run/node'
import { parseId } from '#app/lib/url.ts'
import { getAppointment } from '../queries/appointments.ts'
import { describeOverlap } from '../queries/overlaps.ts'

/** Names what is at the time of an appointment too, for the calendar after a move. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  const ctx = context.coach()
  return Response.json({ text: await describeOverlap(ctx, await getAppointment(ctx, parseId(params.id))) })
}
