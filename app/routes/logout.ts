import { redirect, type ActionFunctionArgs } from '@remix-run/node'
import { redirectWithToast } from '#app/lib/form-submission.ts'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { backTo, toldOf } from '#modules/core/run-action.server.ts'
import { signOut } from '#tenants/auth/sign-in.ts'

/** Ends the session on the server, not only in this browser. */
export async function action({ request, context }: ActionFunctionArgs) {
  try {
    await signOut(context.visit.platform, context.visit.visitor)
  } catch (error) {
    context.log.error({ err: error }, 'a session could not be ended')
    return redirectWithToast(backTo(request, '/dashboard'), {
      tone: 'error',
      title: 'Logout failed',
      text: toldOf(error),
    })
  }
  return redirectWithToast('/auth', { tone: 'success', title: 'Logged out', text: 'See you next time!' }, [
    context.sessionCookie(null),
  ])
}

export const clientAction = keepTyped({
  '': { title: 'Logout failed', text: 'The server could not be reached. Please try again.' },
})

export function loader() {
  return redirect('/')
}
