import { Card } from '#app/ui/components/page.tsx'
import { PortalInvoiceRows } from '../components/portal-invoice-rows.tsx'
import type { PortalInvoices } from '../portal.ts'

/** The unpaid invoices of a client, on the home page of the portal. */
export default function PortalInvoicesCard({ data: { invoices } }: { data: PortalInvoices }) {
  return (
    <Card title="To pay">
      <PortalInvoiceRows invoices={invoices} />
    </Card>
  )
}
