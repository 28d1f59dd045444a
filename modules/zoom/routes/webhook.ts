import type { ActionFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { receiveWebhook } from '../services/webhooks.ts'

/** Zoom calls this with events. Signatures are of the bytes, so the body is read as they are. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { platform, address } = context.requestContext
  if (context.tenant || !platform.config.zoom?.webhookSecret) throw new AppError('not_found', 'Not found')
  const result = await receiveWebhook(platform, {
    body: Buffer.from(await request.arrayBuffer()),
    timestamp: request.headers.get('x-zm-request-timestamp'),
    signature: request.headers.get('x-zm-signature'),
  })
  if (result === 'refused') {
    await countAttempt(platform, { rules: tokenRules(address), address })
    throw new AppError('bad_request', 'This request is not signed by Zoom.')
  }
  return result === 'accepted' ? new Response(null, { status: 204 }) : Response.json(result.answer)
}

export function loader() {
  throw new AppError('not_found', 'Not found')
}
