import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { formatMoney } from '#app/lib/money.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { CircleCheck } from '#app/ui/components/icons.tsx'
import { getInvoicePath } from '../invoices/public-link.ts'
import { formatSessions } from '../format.ts'
import { findPageOfSold, getSalePayment, openSaleLink } from '../sales/online-sale.server.ts'
import { isOutdated, outdatedMessage } from '../sales/outdated.ts'

/** Plain HTML. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Payment'),
  { name: 'robots', content: 'noindex' },
]

/** The sale of a signed link, as it is now. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const token = params.token ?? ''
  const link = await openSaleLink(context, token)
  if (!link) return data({ sale: null, payment: null, coach: null }, { status: 404 })
  const { ctx, sale } = link
  const page = await findPageOfSold(ctx, sale)
  if (page) throw redirect(page)
  const { state, productName, amount, currency, sessionCount, buyerName, buyerEmail, source, invoiceId } = sale
  return data({
    sale: {
      state,
      isOutdated: isOutdated(sale, ctx.now()),
      productName,
      amount: formatMoney(amount, currency),
      details: sessionCount === null ? null : formatSessions(sessionCount),
      buyerName,
      buyerEmail,
      // A visitor may have typed the address of a client, whose name is on the invoice: it goes to that address alone.
      invoicePath: invoiceId === null || source !== 'link' ? null : getInvoicePath(ctx, invoiceId),
    },
    payment: await getSalePayment(ctx, sale, token),
    coach: { name: context.tenant!.name, email: ctx.account.email },
  })
}

export default function SalePage() {
  const { sale, payment, coach } = useLoaderData<typeof loader>()
  if (!sale || !coach)
    return (
      <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
        <h1 className="font-serif text-4xl text-balance">This link doesn’t work here</h1>
        <p className="mt-3 text-ink-2">
          The link is incomplete or was changed. Open it from the email again, or copy all of it.
        </p>
      </div>
    )
  const isOnItsWay = payment !== null && !payment.action
  return (
    <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
      <h1 className="flex items-start gap-3 font-serif text-4xl text-balance wrap-anywhere">
        {sale.state === 'paid' && <CircleCheck className="i mt-2 !size-7 shrink-0 text-success-text" />}
        {sale.state === 'paid' ? 'Thank you, it is paid' : sale.productName}
      </h1>
      <dl className="mt-6 grid gap-3 rounded-2xl border border-line p-6">
        <Fact label="What">{[sale.productName, sale.details].filter(Boolean).join(' · ')}</Fact>
        <Fact label={sale.state === 'paid' ? 'Paid' : 'Price'}>{sale.amount}</Fact>
        {sale.buyerName && <Fact label="For">{[sale.buyerName, sale.buyerEmail].filter(Boolean).join(', ')}</Fact>}
      </dl>
      {isOnItsWay && (
        <p className="mt-6" role="status">
          Your payment is on its way. A bank debit takes some days.
        </p>
      )}
      {sale.state === 'open' && !payment && (
        <p className="mt-6" role="status">
          {sale.isOutdated ? outdatedMessage : 'Paying by card is not possible at the moment.'}
        </p>
      )}
      {sale.state === 'withdrawn' && (
        <p className="mt-6" role="status">
          This offer was withdrawn. There is nothing to pay.
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {payment?.action && (
          <form method="post" action={payment.action} className="max-sm:w-full">
            <button type="submit" className="btn btn-primary btn-lg max-sm:w-full">{`Pay ${sale.amount}`}</button>
          </form>
        )}
        {sale.invoicePath && (
          <a className="btn btn-secondary" href={sale.invoicePath}>
            View Invoice
          </a>
        )}
      </div>
      <p className="mt-6 text-ink-3">
        Questions?{' '}
        <a className="link hit wrap-anywhere" href={`mailto:${coach.email}`}>
          Write to {coach.name}
        </a>
      </p>
    </div>
  )
}

function Fact({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-3">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}
