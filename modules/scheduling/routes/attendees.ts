import type { LoaderFunctionArgs } from '@remix-run/node'
import { searchAttendees } from '../dialogs.ts'

/** The clients and prospects that a search of the appointment forms finds. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const text = new URL(request.url).searchParams.get('q') ?? ''
  return Response.json(await searchAttendees(context.coach(), text))
}
