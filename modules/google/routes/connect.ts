import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { errorMessage } from '#modules/core/form-actions.server.ts'
import { replaceWith } from '#app/lib/form-submission.ts'
import { beginConnect } from '../services/connect.ts'

/**
 * Connects without a popup, for browsers that block it or run no scripts, and from a domain of the coach over the
 * platform's host, where Google sends them back. `meet=yes`: also to Google Meet.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (context.requestContext.viewer.domain)
    return redirect(`${context.config.origin}/google/connect${new URL(request.url).search}`)
  const ctx = context.coach()
  const withMeet = new URL(request.url).searchParams.get('meet') === 'yes'
  const address = await beginConnect(ctx, { inPopup: false, withMeet }).catch((error: unknown) => {
    const toast = { tone: 'error', title: 'Connection Failed', text: errorMessage(error) } as const
    throw replaceWith('/calendar', [context.cookies.toast(toast)])
  })
  return redirect(address)
}
