import { data, redirect, type ActionFunctionArgs } from '@remix-run/node'
import { safeRedirectPath } from '#app/lib/url.ts'
import { readForm } from '#app/lib/form-submission.ts'
import { keepFormOnFailure } from '#app/ui/forms/offline-action.ts'

/** Saves the theme in a cookie of this browser. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const theme = form.get('theme')
  if (theme !== 'light' && theme !== 'dark' && theme !== 'system')
    throw data({ message: 'Unknown theme.' }, { status: 422 })
  const back = safeRedirectPath(form.get('back'))
  const headers = { 'Set-Cookie': context.cookies.theme(theme) }
  return back ? redirect(back, { headers }) : data(null, { headers })
}

export const clientAction = keepFormOnFailure({ '': 'Failed to save the theme. Please try again.' })

export function loader() {
  return redirect('/')
}
