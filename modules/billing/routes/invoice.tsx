import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { AppError } from '#app/lib/errors.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { InvoicePaper } from '../components/invoice-paper.tsx'
import { readInvoiceToken } from '../invoices/public-link.ts'
import { toInvoiceView } from '../payments-loader.server.ts'
import { getInvoice } from '../queries/invoices.ts'

/** Plain HTML: the client prints it or saves it as a file. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Invoice'),
  { name: 'robots', content: 'noindex' },
]

/** The invoice of a signed link, as it is now. Counts links that don't work, so that nobody can try many. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const { platform, address } = context.requestContext
  const link = readInvoiceToken(platform, params.token ?? '')
  const missing = data({ invoice: null, sender: null, email: null }, { status: 404 })
  if (!link || link.coachId !== context.tenant?.id) {
    await countAttempt(platform, { rules: tokenRules(address), address })
    return missing
  }
  const ctx = await context.visitor(['billing:invoice:read'])
  const invoice = await getInvoice(ctx, link.invoiceId).catch((error) => {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  })
  if (!invoice || invoice.status === 'draft') return missing
  const { name, logoUrl } = context.tenant
  return data({ invoice: toInvoiceView(invoice), sender: { name, logoUrl }, email: ctx.account.email })
}

export default function InvoicePage() {
  const { invoice, sender, email } = useLoaderData<typeof loader>()
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
