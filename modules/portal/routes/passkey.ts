import type { LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { startPasskey, startPasskeySignIn } from '../services/passkeys.ts'

/** The options of the browser's dialog that signs in with a passkey, or with `?add` creates one. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!new URL(request.url).searchParams.has('add'))
    return Response.json(await startPasskeySignIn(await context.visitor([])))
  const ctx = await context.findClient()
  if (!ctx) throw new AppError('unauthorized', 'You are signed out. Sign in again.')
  return Response.json(await startPasskey(ctx))
}
