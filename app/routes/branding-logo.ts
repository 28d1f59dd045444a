import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { redirectWithToast } from '#app/lib/form-submission.ts'
import { uploadedFile } from '#app/lib/upload.server.ts'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { maxLogoBytes, noImage, saveLogo, tooLargeImage } from '#tenants/accounts/logos.ts'

/** Takes the coach's logo. Its own address: every other form is small. */
export async function action({ request, context }: ActionFunctionArgs) {
  context.coach()
  try {
    const { content } = await uploadedFile(request, 'logo', {
      maxBytes: maxLogoBytes,
      missing: noImage,
      tooLarge: tooLargeImage,
    })
    await context.write((ctx) => saveLogo(ctx, content))
    return redirectWithToast('/branding', { tone: 'success', title: 'Logo saved' })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return redirectWithToast('/branding', {
      tone: 'error',
      title: error.code === 'too_large' ? 'File Too Large' : 'Invalid File Type',
      text: error.message,
    })
  }
}

export const clientAction = keepTyped({ '': 'Failed to save the logo.' })

export function loader({ context }: LoaderFunctionArgs) {
  context.coach()
  return redirect('/branding')
}
