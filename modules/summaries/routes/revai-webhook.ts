import type { ActionFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { receiveWebhook } from '../recordings/webhook.ts'

/** Rev.ai calls this when a job has ended. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { platform, address } = context.requestContext
  if (context.tenant || !platform.config.revai) throw new AppError('not_found', 'Not found')
  if (!(await receiveWebhook(platform, request.headers.get('authorization')))) {
    await countAttempt(platform, { rules: tokenRules(address), address })
    throw new AppError('bad_request', 'This request is not from Rev.ai.')
  }
  return new Response(null, { status: 204 })
}

export function loader() {
  throw new AppError('not_found', 'Not found')
}
