import type { ActionFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { endpoints, receiveWebhook } from '../services/webhooks.ts'

/** Stripe calls this with events. Signatures are of the bytes, so the body is read as they are. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { platform, address } = context.requestContext
  const endpoint = endpoints.find((name) => name === params.endpoint)
  if (!endpoint || context.tenant || !platform.config.stripe) throw new AppError('not_found', 'Not found')
  const body = Buffer.from(await request.arrayBuffer())
  const result = await receiveWebhook(platform, { endpoint, body, signature: request.headers.get('stripe-signature') })
  if (result === 'refused') {
    await countAttempt(platform, { rules: tokenRules(address), address })
    throw new AppError('bad_request', 'This request is not signed by Stripe.')
  }
  return new Response(null, { status: 204 })
}

export function loader() {
  throw new AppError('not_found', 'Not found')
}
