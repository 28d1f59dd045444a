import { Readable } from 'node:stream'
import type { LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { parseId } from '#app/lib/url.ts'
import { attachmentHeaders } from '#modules/core/attachment-headers.ts'
import { openFile } from '#tenants/files/files.ts'
import { findFile } from '../queries/submissions.ts'

/** A file that a client has sent: only to download, because it may be anything. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const found = await findFile(ctx, parseId(params.id), parseId(params.file))
  if (!found) throw new AppError('not_found', 'File not found')
  const { content, contentType, size } = await openFile(ctx, found.storedFileId)
  return new Response(Readable.toWeb(content) as ReadableStream, {
    headers: { ...attachmentHeaders(found.fileName, contentType), 'Content-Length': String(size) },
  })
}
