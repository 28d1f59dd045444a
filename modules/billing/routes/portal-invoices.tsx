import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { PortalInvoiceRows } from '../components/portal-invoice-rows.tsx'
import { loadPortalInvoicesPage } from '../portal.ts'

export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Your invoices')

export const loader = async ({ context }: LoaderFunctionArgs) => loadPortalInvoicesPage(await context.client())

export default function PortalInvoicesPage() {
  const { invoices } = useLoaderData<typeof loader>()
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">Your invoices</h1>
      {invoices.length ? (
        <section className="card mt-8 overflow-hidden" aria-label="Your invoices">
          <PortalInvoiceRows invoices={invoices} />
        </section>
      ) : (
        <p className="mt-3 text-ink-2">There are no invoices yet.</p>
      )}
    </>
  )
}
