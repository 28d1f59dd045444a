import { Readable } from 'node:stream'
import { createReadableStreamFromReadable, type LoaderFunctionArgs } from '@remix-run/node'
import { csvDownloadHeaders } from '#modules/core/csv/download-response.server.ts'
import { exportCsv } from '../csv/export.ts'
import { clientsUrl } from '../list-state.ts'
import { streamClients } from '../queries/export.ts'

/** Streams the current or the archived clients as a CSV file. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { show } = clientsUrl.parse(request.url)
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone: ctx.account.timezone }).format(ctx.now())
  const body = Readable.from(exportCsv(streamClients(ctx, show)))
  return new Response(createReadableStreamFromReadable(body), {
    headers: csvDownloadHeaders(`${show === 'archive' ? 'Archived clients' : 'Clients'} ${date}.csv`),
  })
}
