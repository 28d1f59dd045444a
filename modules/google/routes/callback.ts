import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { isOwnState } from '#modules/core/oauth/attempts.ts'
import { formatLanding, toResultToast } from '../connect-result.ts'
import { finishConnect } from '../services/connect.ts'
import { findStateOrigin } from '../services/oauth.ts'

/** The one address to which Google sends coaches back, on the platform's host; those of a subdomain go on to theirs. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url)
  const state = searchParams.get('state') ?? ''
  if (!context.tenant && !isOwnState(state, context.account?.id)) {
    const origin = await findStateOrigin(context.requestContext.platform, state)
    if (origin) return redirect(`${origin}/google/callback${search}`)
  }
  const ctx = context.coach()
  const result = isOwnState(state, ctx.coachId)
    ? await finishConnect(ctx, { state, code: searchParams.get('code'), error: searchParams.get('error') })
    : ({ failure: 'expired', inPopup: false, withMeet: false } as const)
  const to = formatLanding(result)
  const toast = toResultToast(result)
  // A popup shows it on the page that opened it.
  return redirect(to, result.inPopup ? {} : { headers: { 'Set-Cookie': context.cookies.toast(toast) } })
}
