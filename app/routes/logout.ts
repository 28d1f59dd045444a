import { redirect, type ActionFunctionArgs } from '@remix-run/node'
import { replaceWith } from '#app/lib/form-submission.ts'
import { keepFormOnFailure } from '#app/ui/forms/offline-action.ts'
import { errorMessage, refererPath } from '#modules/core/form-actions.server.ts'
import { signOut } from '#tenants/auth/sessions.ts'

/** Ends the session on the server too, not only in this browser. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { cookies } = context
  try {
    await signOut(context.requestContext.platform, context.requestContext.viewer)
  } catch (error) {
    context.log.error({ err: error }, 'failed to end a session')
    const toast = cookies.toast({ tone: 'error', title: 'Logout failed', text: errorMessage(error) })
    return replaceWith(refererPath(request, '/dashboard'), [toast])
  }
  return replaceWith('/auth', [
    cookies.toast({ tone: 'success', title: 'Logged out', text: 'See you next time!' }),
    cookies.session(null),
    cookies.support(null),
  ])
}

export const clientAction = keepFormOnFailure({
  '': { title: 'Logout failed', text: 'The server could not be reached. Please try again.' },
})

export function loader() {
  return redirect('/')
}
