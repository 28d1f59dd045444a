import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { listBuyerPermissions, openSaleLink } from '#modules/billing/index.ts'
import { applySession, listPages } from '../services/checkout.ts'
import { StripeError } from '../vendor/errors.ts'

/** The buyer comes back from Stripe: that proves nothing, so Stripe is asked. The webhook may have been first. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const link = await openSaleLink(context, params.token ?? '')
  if (!link) throw new AppError('not_found', 'Sale not found', { subject: 'sale' })
  const sessionId = new URL(request.url).searchParams.get('session')
  const ctx = await context.visitor([...listBuyerPermissions(link.ctx), 'stripe:payment:write'])
  const pages = await listPages(ctx, { kind: 'sale', id: link.sale.id })
  const checkout = pages.find((one) => one.sessionId === sessionId)
  if (checkout?.sessionId)
    await applySession(ctx, checkout.sessionId, checkout.accountId).catch((error: unknown) => {
      // The webhook says it later.
      if (!(error instanceof StripeError)) throw error
    })
  return redirect(`/sale/${params.token}`)
}
