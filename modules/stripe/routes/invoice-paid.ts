import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { openInvoiceLink } from '#modules/billing/index.ts'
import { payerPermissions } from '../permissions.ts'
import { applySession, listCheckouts } from '../services/checkout.ts'
import { StripeError } from '../vendor/errors.ts'

/** The client comes back from Stripe: that proves nothing, so Stripe is asked. The webhook may have been first. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const link = await openInvoiceLink(context, params.token ?? '')
  if (!link) throw new AppError('not_found', 'Invoice not found', { subject: 'invoice' })
  const sessionId = new URL(request.url).searchParams.get('session')
  const ctx = await context.visitor(payerPermissions)
  const checkout = (await listCheckouts(ctx, link.invoice.id)).find((one) => one.sessionId === sessionId)
  if (checkout?.sessionId)
    await applySession(ctx, checkout.sessionId, checkout.accountId).catch((error: unknown) => {
      // The webhook says it later.
      if (!(error instanceof StripeError)) throw error
    })
  return redirect(`/invoice/${params.token}`)
}
