import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { fillSlot } from '#modules/core/slots.ts'
import { InvoicePaper } from '../components/invoice-paper.tsx'
import { openInvoiceLink } from '../invoices/invoice-link.server.ts'
import type { OnlinePayment } from '../payment-provider.ts'
import { toInvoiceView } from '../payments-loader.server.ts'

/** Plain HTML. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Invoice'),
  { name: 'robots', content: 'noindex' },
]

/** The invoice of a signed link, as it is now. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const token = params.token ?? ''
  const link = await openInvoiceLink(context, token)
  if (!link)
    return data(
      { invoice: null, sender: null, email: null, pdfPath: null, payment: null, isUnpaid: false },
      { status: 404 },
    )
  const { ctx, invoice } = link
  const { name, logoUrl } = context.tenant!
  const pdfPath = invoice.status === 'void' ? null : `/invoice/${token}/pdf`
  const [filled] = await fillSlot(ctx, 'invoice.payment', { id: String(invoice.id), token })
  const payment = invoice.balance > 0 ? ((filled?.data ?? null) as OnlinePayment | null) : null
  return data({
    invoice: toInvoiceView(invoice),
    sender: { name, logoUrl },
    email: ctx.account.email,
    pdfPath,
    payment,
    isUnpaid: invoice.balance > 0,
  })
}

export default function InvoicePage() {
  const { invoice, sender, email, pdfPath, payment, isUnpaid } = useLoaderData<typeof loader>()
  if (!invoice)
    return (
      <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
        <h1 className="font-serif text-4xl text-balance">This link doesn’t work here</h1>
        <p className="mt-3 text-ink-2">
          The link is incomplete or was changed. Open it from the email again, or copy all of it.
        </p>
      </div>
    )
  return (
    <div className="mx-auto max-w-[48rem] px-gutter pt-8 sm:pt-14">
      <h1 className="mb-6 font-serif text-4xl">
        {invoice.kind === 'credit_note'
          ? `Credit note ${invoice.number}`
          : (titles[invoice.status] ?? `Invoice ${invoice.number}`)}
      </h1>
      <InvoicePaper invoice={invoice} sender={sender} />
      {payment && !payment.action && (
        <p className="mt-6" role="status">
          Your payment is on its way. A bank debit takes some days.
        </p>
      )}
      {isUnpaid && !payment && (
        <p className="mt-6 text-ink-2">
          This invoice can’t be paid online. Please pay it as agreed with {sender.name}.
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {payment?.action && (
          <form method="post" action={payment.action}>
            <button type="submit" className="btn btn-primary">{`Pay ${invoice.balance}`}</button>
          </form>
        )}
        {pdfPath && (
          <a className="btn btn-secondary" href={pdfPath}>
            Download PDF
          </a>
        )}
      </div>
      <p className="mt-6 text-ink-3">
        Questions?{' '}
        <a className="link hit wrap-anywhere" href={`mailto:${email}`}>
          Write to {sender.name}
        </a>
      </p>
    </div>
  )
}

const titles: Record<string, string> = {
  paid: 'This invoice is paid',
  refunded: 'This invoice is refunded',
  credited: 'This invoice is credited',
  void: 'This invoice is void',
}
