import type { LoaderFunctionArgs } from '@remix-run/node'
import { startPasskeySignIn } from '#tenants/auth/passkeys.ts'

/** The options of the browser's dialog that signs in with a passkey. */
export async function loader({ context }: LoaderFunctionArgs) {
  return Response.json(await startPasskeySignIn(context.requestContext.platform))
}
