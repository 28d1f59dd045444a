import { redirect, type ActionFunctionArgs } from '@remix-run/node'
import { signInPath } from '../paths.ts'
import { signOut } from '../services/sign-in.ts'

export const loader = () => redirect(signInPath())

export async function action({ context }: ActionFunctionArgs) {
  const token = context.cookies.readPortal()
  if (token) await signOut(await context.visitor([]), token)
  return redirect(signInPath(), { headers: { 'Set-Cookie': context.cookies.portal(null) } })
}
