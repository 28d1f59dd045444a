import { Readable } from 'node:stream'
import { createReadableStreamFromReadable, type LoaderFunctionArgs } from '@remix-run/node'
import { attachment } from '../download-response.server.ts'
import { exportCsv } from '../csv/export.ts'
import { listState } from '../list-state.ts'
import { allClients } from '../queries/export.ts'

/** All current clients, or the archive, as a CSV file, written as they are read. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { place } = listState(new URL(request.url).searchParams)
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: ctx.account.timezone }).format(ctx.now())
  const body = Readable.from(exportCsv(allClients(ctx, place)))
  return new Response(createReadableStreamFromReadable(body), {
    headers: attachment(`${place === 'archive' ? 'Archived clients' : 'Clients'} ${day}.csv`),
  })
}
