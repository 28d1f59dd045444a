import type { LoaderFunctionArgs } from '@remix-run/node'
import { parseId } from '#app/lib/url.ts'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { formatStatement } from '../statements/csv.ts'
import { getWholeStatement } from '../statements/page.server.ts'

/** A client's statement as a CSV file. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const statement = await getWholeStatement(ctx, parseId(params.id), request.url)
  const { client, from, to } = statement
  return csvResponse(ctx, `Statement ${client.name} ${from} ${to}.csv`, formatStatement(statement))
}
