import { Readable } from 'node:stream'
import type { LoaderFunctionArgs } from '@remix-run/node'
import { localDate } from '#app/lib/time.ts'
import { attachmentHeaders } from '#modules/core/attachment-headers.ts'
import { openExport } from '#tenants/exports/exports.ts'
import { replyWithFile } from '#tenants/files/file-reply.ts'

/** The export of the whole practice, also in ranges. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.closedCoach() ?? context.coach()
  const { status, headers, content } = await replyWithFile(request, await openExport(ctx))
  const name = `Practice ${localDate(ctx.now(), ctx.account.timezone)}.zip`
  return new Response(content && (Readable.toWeb(content) as ReadableStream), {
    status,
    headers: { ...headers, ...attachmentHeaders(name, 'application/zip') },
  })
}
