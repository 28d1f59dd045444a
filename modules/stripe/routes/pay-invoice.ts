import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { openInvoiceLink } from '#modules/billing/index.ts'
import { payerPermissions } from '../permissions.ts'
import { openCheckout } from '../services/checkout.ts'

const notFound = () => new AppError('not_found', 'Invoice not found', { subject: 'invoice' })

/** Sends the client of a signed link to the payment page at Stripe. */
export async function action({ params, context }: ActionFunctionArgs) {
  const link = await openInvoiceLink(context, params.token ?? '')
  if (!link) throw notFound()
  const address = await openCheckout(await context.visitor(payerPermissions), link.invoice.id)
  return redirect(address, 303)
}

/** For a form that was sent again by reloading. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  if (!(await openInvoiceLink(context, params.token ?? ''))) throw notFound()
  return redirect(`/invoice/${params.token}`)
}
