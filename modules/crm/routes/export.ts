import type { LoaderFunctionArgs } from '@remix-run/node'
import { parseId } from '#app/lib/url.ts'
import { csvResponse } from '#modules/core/csv/download-response.server.ts'
import { exportCsv } from '../csv/export.ts'
import { clientsUrl } from '../list-state.ts'
import { streamClients } from '../queries/export.ts'

/** Streams the current or the archived clients that match the filters as a CSV file. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { show, ...filters } = clientsUrl.parse(request.url)
  const ids = (new URL(request.url).searchParams.get('ids') ?? '').split(',').map(parseId).filter(Boolean)
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone: ctx.account.timezone }).format(ctx.now())
  const name = `${show === 'archive' ? 'Archived clients' : 'Clients'} ${date}.csv`
  return csvResponse(ctx, name, exportCsv(streamClients(ctx, show, filters, ids)))
}
