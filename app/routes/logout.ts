import { redirect, type ActionFunctionArgs } from '@remix-run/node'
import { redirectWithToast } from '#app/lib/submit.ts'
import { signOut } from '#tenants/sign-in.ts'

/** Ends the session on the server, not only in this browser. */
export async function action({ context }: ActionFunctionArgs) {
  await signOut(context.visit.platform, context.visit.visitor)
  return redirectWithToast('/auth', { tone: 'success', title: 'Logged out', text: 'See you next time!' }, [context.sessionCookie(null)])
}

export function loader() {
  return redirect('/')
}
