import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node'
import { readForm } from '#app/lib/form-submission.ts'
import { parseId } from '#app/lib/url.ts'
import { errorMessage, refererPath } from '#modules/core/form-actions.server.ts'
import { adminUrl } from '../list-state.ts'
import { requireAdmin } from '../require-admin.server.ts'
import { startSupportVisit } from '../services/support-visits.ts'

/** Opens the practice of a coach. The browser sends the form without scripts: all of the page is another account's next. */
export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = requireAdmin(context)
  const coach = parseId((await readForm(request)).get('coach'))
  const { cookies, requestContext } = context
  try {
    const visitId = await ctx.write((tx) => startSupportVisit(tx, coach, requestContext.viewer.sessionHash))
    return redirect('/dashboard', { headers: { 'Set-Cookie': cookies.support({ visitId }) } })
  } catch (error) {
    const toast = cookies.toast({ tone: 'error', title: 'Error', text: errorMessage(error) })
    return redirect(refererPath(request, adminUrl.href()), { headers: { 'Set-Cookie': toast } })
  }
}

export function loader({ context }: LoaderFunctionArgs) {
  requireAdmin(context)
  return redirect(adminUrl.href())
}
