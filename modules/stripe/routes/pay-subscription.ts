import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { openSubscriptionCheckout } from '../subscriptions/checkout.ts'
import { openSubscriptionLink } from '../subscriptions/link.server.ts'

const notFound = () => new AppError('not_found', 'Subscription not found', { subject: 'subscription' })

/** Sends the client of a signed link to the payment page at Stripe. */
export async function action({ params, context }: ActionFunctionArgs) {
  const link = await openSubscriptionLink(context, params.token ?? '')
  if (!link) throw notFound()
  // A second click after the payment leads to how it stands.
  if (link.subscription.state !== 'offered') return redirect(`/subscribe/${params.token}`, 303)
  return redirect(await openSubscriptionCheckout(link.ctx, link.subscription.id), 303)
}

/** After the form of a product. A failure leads to the page of the subscription, which offers to try again. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const link = await openSubscriptionLink(context, params.token ?? '')
  if (!link) throw notFound()
  const page = `/subscribe/${params.token}`
  if (link.subscription.state !== 'offered' || link.subscription.buyerEmail === null) return redirect(page)
  try {
    return redirect(await openSubscriptionCheckout(link.ctx, link.subscription.id), 303)
  } catch (error) {
    if (error instanceof AppError && (error.code === 'upstream_failed' || error.code === 'conflict'))
      return redirect(page)
    throw error
  }
}
