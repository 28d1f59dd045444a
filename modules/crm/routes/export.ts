import { Readable } from 'node:stream'
import { createReadableStreamFromReadable, type LoaderFunctionArgs } from '@remix-run/node'
import { attachment } from '../attachment.server.ts'
import { exportCsv } from '../csv/export.ts'
import { allClients } from '../queries/export.ts'

/** All current clients as a CSV file, written as they are read. */
export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: ctx.account.timezone }).format(ctx.now())
  const body = Readable.from(exportCsv(allClients(ctx)))
  return new Response(createReadableStreamFromReadable(body), { headers: attachment(`Clients ${day}.csv`) })
}
