import type { LoaderFunctionArgs } from '@remix-run/node'
import { localDate } from '#app/lib/time.ts'
import { parseId } from '#app/lib/url.ts'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { exportAnswers } from '../export.ts'
import { getForm } from '../queries/form.ts'

/** Streams the answers to a form as a CSV file. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { id, name } = await getForm(ctx, parseId(params.id))
  const today = localDate(ctx.now(), ctx.account.timezone)
  return csvResponse(ctx, `${name} ${today}.csv`, exportAnswers(ctx, id))
}
