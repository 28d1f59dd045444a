import type { ActionFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { noteChange, readNotification } from '../services/watch.ts'

/** Google calls this when a watched calendar changes. The request has no body that counts. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { platform, address, requestId } = context.requestContext
  const header = (name: string) => request.headers.get(`x-goog-${name}`)
  const notification = readNotification(platform, {
    path: params.token ?? '',
    token: header('channel-token'),
    channelId: header('channel-id'),
    state: header('resource-state'),
  })
  if (!notification) {
    await countAttempt(platform, { rules: tokenRules(address), address })
    throw new AppError('not_found', 'Not found')
  }
  const ctx = notification.isChange ? await loadCoachContext(platform, notification.coachId, requestId) : null
  await ctx?.write(noteChange)
  return new Response(null, { status: 204 })
}

export function loader() {
  throw new AppError('not_found', 'Not found')
}
