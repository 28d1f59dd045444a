import { data, type ActionFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { readForm, replaceWith, type FormFailure } from '#app/lib/form-submission.ts'
import { limitUpload, requireFile } from '#app/lib/upload.server.ts'
import { refererPath } from '#modules/core/form-actions.server.ts'
import { imageTooLargeError, maxImageBytes, notAnImageError, saveImage } from '#tenants/accounts/images.ts'
import type { UploadKind } from '#tenants/schema.ts'

/** For the browser, which rejects a large file before it is sent. */
export function getImageLimit(kind: UploadKind): { maxBytes: number; tooLargeMessage: string } {
  const tooLarge = imageTooLargeError(kind)
  return { maxBytes: maxImageBytes, tooLargeMessage: `${getTitle(tooLarge)}: ${tooLarge.message}` }
}

/**
 * The action that saves the coach's logo or photo. A route of its own, because other forms have a smaller size limit.
 * With `?inline`, an invalid file returns an error for the field; otherwise, without JavaScript, it redirects with a
 * toast: to the page that sent it, or to `page`.
 */
export const imageUploadAction =
  (kind: UploadKind, { page, saved }: { page: string; saved: string }) =>
  async ({ request, context }: ActionFunctionArgs) => {
    context.coach()
    const next = refererPath(request, page)
    try {
      const form = await readForm(await limitUpload(request, maxImageBytes))
      const file = requireFile(form.get(kind), {
        maxBytes: maxImageBytes,
        missing: () => notAnImageError(kind),
        tooLarge: () => imageTooLargeError(kind),
      })
      const content = new Uint8Array(await file.arrayBuffer())
      await context.write((ctx) => saveImage(ctx, kind, content, file.name))
      return replaceWith(next, [context.cookies.toast({ tone: 'success', title: saved })])
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      const { message, status } = error
      const title = getTitle(error)
      if (!new URL(request.url).searchParams.has('inline'))
        return replaceWith(next, [context.cookies.toast({ tone: 'error', title, text: message })])
      return data<FormFailure>(
        { result: { status: 'error', initialValue: {}, error: { [kind]: [`${title}: ${message}`] } } },
        { status },
      )
    }
  }

/** Source: part-2 §5. */
const getTitle = ({ code }: AppError): string => (code === 'too_large' ? 'File Too Large' : 'Invalid File Type')
