import { data, redirect, type ActionFunctionArgs } from '@remix-run/node'
import { themeCookie } from '#app/lib/flash.ts'
import { formOf } from '#app/lib/submit.ts'

/** Remembers light, dark or the machine's choice in this browser. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await formOf(request)
  const theme = form.get('theme')
  if (theme !== 'light' && theme !== 'dark' && theme !== 'system') throw data({ message: 'There is no such theme.' }, { status: 422 })
  const back = form.get('back')
  const headers = { 'Set-Cookie': themeCookie(theme) }
  return typeof back === 'string' && /^\/(?![/\\])/.test(back) ? redirect(back, { headers }) : data(null, { headers })
}

export function loader() {
  return redirect('/')
}
