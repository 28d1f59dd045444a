import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { applySubscriptionSession } from '../subscriptions/checkout.ts'
import { openSubscriptionLink } from '../subscriptions/link.server.ts'
import { StripeError } from '../vendor/errors.ts'

/** The client comes back from Stripe: that proves nothing, so Stripe is asked. The webhook may have been first. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const link = await openSubscriptionLink(context, params.token ?? '')
  if (!link) throw new AppError('not_found', 'Subscription not found', { subject: 'subscription' })
  const { sessionId, accountId } = link.subscription
  if (sessionId && accountId)
    await applySubscriptionSession(link.ctx, sessionId, accountId).catch((error: unknown) => {
      // The webhook says it later.
      if (!(error instanceof StripeError)) throw error
    })
  return redirect(`/subscribe/${params.token}`)
}
