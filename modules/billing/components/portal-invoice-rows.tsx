import { Link } from '#app/ui/navigation/link.tsx'
import type { PortalInvoice } from '../portal.ts'

/** A client's invoices in the portal. */
export function PortalInvoiceRows({ invoices }: { invoices: PortalInvoice[] }) {
  return (
    <ul className="rows border-t border-line-soft" aria-label="Invoices">
      {invoices.map(({ id, number, description, statusLabel, isOverdue, amount, toPay, date, to }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
          <div className="min-w-0 flex-1 basis-48">
            <p className="font-medium wrap-anywhere">{description}</p>
            <p className="text-sm text-ink-3">
              {`${number} · ${date} · `}
              <span className={isOverdue ? 'font-medium text-danger-text' : ''}>{statusLabel}</span>
            </p>
          </div>
          <span className="num font-semibold">{amount}</span>
          <Link className={`btn ${toPay ? 'btn-primary' : 'btn-secondary'}`} to={to} aria-label={`View ${number}`}>
            View
          </Link>
        </li>
      ))}
    </ul>
  )
}
