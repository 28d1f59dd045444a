import { Readable } from 'node:stream'
import { redirect, type ActionFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { readForm } from '#app/lib/form-submission.ts'
import { attachmentHeaders } from '#modules/core/attachment-headers.ts'
import { toDownloadName } from '../download-name.ts'
import { openSharedFile } from '../services/shares.ts'
import { openShareLink } from '../share-link.server.ts'

const notFound = () => new AppError('not_found', "This link doesn't work any more.")

/** A file is sent in answer to the button of its page alone: programs that look at links in emails don't open it. */
export const loader = () => {
  throw notFound()
}

/** The file of a signed link. */
export async function action({ params, request, context }: ActionFunctionArgs) {
  const token = params.token ?? ''
  const link = await openShareLink(context, token)
  if (!link || link.share.url !== null) throw notFound()
  const { ctx, share, clientId } = link
  const { address, userAgent } = context.requestContext
  const password = share.passwordHash ? String((await readForm(request)).get('password') ?? '') : ''
  try {
    const file = await openSharedFile(ctx, share, { clientId, password, device: { address, userAgent } })
    return new Response(Readable.toWeb(file.content) as ReadableStream, {
      headers: {
        ...attachmentHeaders(toDownloadName(share.name, file.fileName), file.contentType),
        'Content-Length': String(file.size),
      },
    })
  } catch (error) {
    const code = error instanceof AppError ? error.code : null
    if (code === 'forbidden') return redirect(`/shared/${token}?problem=password`, 303)
    if (code === 'rate_limited') return redirect(`/shared/${token}?problem=limit`, 303)
    throw error
  }
}
