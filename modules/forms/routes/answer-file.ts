import { Readable } from 'node:stream'
import { redirect, type ActionFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { parseId, withQuery } from '#app/lib/url.ts'
import { discardContent } from '#tenants/files/files.ts'
import { receiveForm } from '#tenants/files/form-upload.ts'
import { requireFormLink, toFailure } from '../answering/answering.server.ts'
import { countUpload } from '../answering/limits.ts'
import { limits } from '../fields.ts'
import { addAnswerFile, findAnsweredForm } from '../services/answering.ts'

/** The form is on the page of the link. */
export const loader = () => {
  throw new AppError('not_found', "We can't find that page.")
}

/** Takes the file that answers a question, and leads back to the page. */
export async function action({ params, request, context }: ActionFunctionArgs) {
  const token = params.token ?? ''
  const link = await requireFormLink(context, token)
  const { ctx, id } = link
  const page = `/form/${token}`
  try {
    countUpload(link, context.requestContext.address)
    const found = await findAnsweredForm(ctx, id)
    if (!found || found.submittedAt || found.isExpired) return redirect(page, 303)
    const { headers, body } = request
    const stream = body ? Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) : Readable.from([])
    const form = {
      type: headers.get('content-type') ?? '',
      length: Number(headers.get('content-length')) || null,
      stream: stream.on('error', () => {}),
    }
    const { fields, name, content } = await receiveForm(ctx, form, limits.fileBytes)
    const { question = '' } = fields
    const formVersionId = parseId(fields.formVersionId)
    await ctx
      .write((tx) => addAnswerFile(tx, id, { question, formVersionId, name, content }))
      .catch(async (error: unknown) => {
        await discardContent(ctx, content)
        throw error
      })
    return redirect(`${page}#q-${encodeURIComponent(question)}`, 303)
  } catch (error) {
    const { code } = toFailure(context, error)
    const problem = code === 'too_large' ? 'large' : code === 'validation_failed' ? 'empty' : 'failed'
    return redirect(withQuery(page, { problem }), 303)
  }
}
