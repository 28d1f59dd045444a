import { redirect, type ActionFunctionArgs } from '@remix-run/node'
import { signInPath, toPortalPath } from '../paths.ts'
import { signOut } from '../services/sign-in.ts'

export const loader = () => redirect(signInPath())

/** `next`: the page that the next sign-in leads to. */
export async function action({ request, context }: ActionFunctionArgs) {
  const next = toPortalPath(new URL(request.url).searchParams.get('next'))
  const token = context.cookies.readPortal()
  if (token) await signOut(await context.visitor([]), token)
  return redirect(signInPath(next ?? undefined), { headers: { 'Set-Cookie': context.cookies.portal(null) } })
}
