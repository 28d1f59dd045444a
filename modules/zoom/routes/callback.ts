import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { toConnectToast } from '../connect-result.ts'
import { findStateOrigin, finishConnect } from '../services/connect.ts'

/** The one address to which Zoom sends coaches back, on the platform's host; those of a subdomain go on to theirs. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url)
  const state = searchParams.get('state') ?? ''
  if (!context.tenant && !isOwn(state, context.account?.id)) {
    const origin = await findStateOrigin(context.requestContext.platform, state)
    if (origin) return redirect(`${origin}/zoom/callback${search}`)
  }
  const ctx = context.coach()
  const failure = isOwn(state, ctx.coachId)
    ? await finishConnect(ctx, { state, code: searchParams.get('code'), error: searchParams.get('error') })
    : 'expired'
  return redirect('/settings/zoom', { headers: { 'Set-Cookie': context.cookies.toast(toConnectToast(failure)) } })
}

const isOwn = (state: string, coachId: number | undefined): boolean =>
  coachId !== undefined && state.startsWith(`${coachId}-`)
