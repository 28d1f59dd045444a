import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { imageUploadAction } from '#app/shell/image-upload.server.ts'
import { keepFormOnFailure } from '#app/ui/forms/offline-action.ts'

export const action = imageUploadAction('photo', { page: '/settings/account', saved: 'Photo saved' })

export const clientAction = keepFormOnFailure({ '': 'Failed to save the photo.' })

export function loader({ context }: LoaderFunctionArgs) {
  context.coach()
  return redirect('/settings/account')
}
