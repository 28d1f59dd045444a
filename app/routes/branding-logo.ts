import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { readForm, redirectWithToast, type FormFailure } from '#app/lib/form-submission.ts'
import { limitUpload, requireFile } from '#app/lib/upload.server.ts'
import { logoErrorTitle } from '#app/shell/branding.server.ts'
import { keepFormOnFailure } from '#app/ui/forms/offline-action.ts'
import { maxLogoBytes, notAnImageError, saveLogo, imageTooLargeError } from '#tenants/accounts/logos.ts'

/**
 * Saves the coach's logo. A route of its own, because other forms have a smaller size limit. With `?inline`, an invalid
 * file returns an error for the field; otherwise, without JavaScript, it redirects with a toast.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  context.coach()
  try {
    const form = await readForm(await limitUpload(request, maxLogoBytes))
    const file = requireFile(form.get('logo'), {
      maxBytes: maxLogoBytes,
      missing: notAnImageError,
      tooLarge: imageTooLargeError,
    })
    const content = new Uint8Array(await file.arrayBuffer())
    await context.write((ctx) => saveLogo(ctx, content))
    return redirectWithToast('/branding', { tone: 'success', title: 'Logo saved' })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const { message, status } = error
    const title = logoErrorTitle(error)
    if (!new URL(request.url).searchParams.has('inline'))
      return redirectWithToast('/branding', { tone: 'error', title, text: message })
    return data<FormFailure>(
      { result: { status: 'error', initialValue: {}, error: { logo: [`${title}: ${message}`] } } },
      { status },
    )
  }
}

export const clientAction = keepFormOnFailure({ '': 'Failed to save the logo.' })

export function loader({ context }: LoaderFunctionArgs) {
  context.coach()
  return redirect('/branding')
}
