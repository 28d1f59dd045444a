import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { isOwnState } from '#modules/core/oauth/attempts.ts'
import { toConnectToast } from '../connect-result.ts'
import { finishConnect } from '../services/connect.ts'
import { findStateOrigin } from '../services/oauth.ts'

/** The one address to which Zoom sends coaches back, on the platform's host; those of a subdomain go on to theirs. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url)
  const state = searchParams.get('state') ?? ''
  if (!context.tenant && !isOwnState(state, context.account?.id)) {
    const origin = await findStateOrigin(context.requestContext.platform, state)
    if (origin) return redirect(`${origin}/zoom/callback${search}`)
  }
  const ctx = context.coach()
  const failure = isOwnState(state, ctx.coachId)
    ? await finishConnect(ctx, { state, code: searchParams.get('code'), error: searchParams.get('error') })
    : 'expired'
  return redirect('/settings/zoom', { headers: { 'Set-Cookie': context.cookies.toast(toConnectToast(failure)) } })
}
