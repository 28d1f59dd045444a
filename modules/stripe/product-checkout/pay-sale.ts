import { redirect, type ActionFunctionArgs, type AppLoadContext, type LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { listBuyerPermissions, openSaleLink } from '#modules/billing/index.ts'
import { openPaymentPage } from '../services/checkout.ts'

/** Sends the buyer of a signed link to the payment page at Stripe. */
export const action = ({ params, context }: ActionFunctionArgs) => pay(context, params.token ?? '')

/** After the form of a product or a booking. A failure leads to the page of the sale, which offers to try again. */
export const loader = ({ params, context }: LoaderFunctionArgs) => pay(context, params.token ?? '', true)

async function pay(context: AppLoadContext, token: string, explains = false): Promise<Response> {
  const link = await openSaleLink(context, token)
  if (!link) throw new AppError('not_found', 'Sale not found', { subject: 'sale' })
  const ctx = await context.visitor([...listBuyerPermissions(link.ctx), 'stripe:payment:write'])
  try {
    return redirect(await openPaymentPage(ctx, { kind: 'sale', id: link.sale.id }), 303)
  } catch (error) {
    // The page of a booking explains that its time is no longer available.
    if (explains || link.sale.source === 'booking') return explain(error, token)
    throw error
  }
}

function explain(error: unknown, token: string): Response {
  if (error instanceof AppError && (error.code === 'upstream_failed' || error.code === 'conflict'))
    return redirect(`/sale/${token}`, 303)
  throw error
}
