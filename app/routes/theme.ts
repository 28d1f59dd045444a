import { data, redirect, type ActionFunctionArgs } from '@remix-run/node'
import { themeCookie } from '#app/lib/flash.ts'
import { ownPath } from '#app/lib/safe-redirect.ts'
import { formOf } from '#app/lib/form-submission.ts'
import { keepTyped } from '#app/ui/forms/offline-action.ts'

/** Remembers light, dark or the machine's choice in this browser. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await formOf(request)
  const theme = form.get('theme')
  if (theme !== 'light' && theme !== 'dark' && theme !== 'system')
    throw data({ message: 'There is no such theme.' }, { status: 422 })
  const back = ownPath(form.get('back'))
  const headers = { 'Set-Cookie': themeCookie(theme) }
  return back ? redirect(back, { headers }) : data(null, { headers })
}

export const clientAction = keepTyped({ '': 'The theme is not saved. Please try again.' })

export function loader() {
  return redirect('/')
}
