import { Download, Eye } from 'lucide-react'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Table } from '#app/ui/components/table.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { paymentsUrl, type PaymentListState } from '../list-state.ts'
import type { InvoiceRow } from '../payments-loader.server.ts'

/** Invoices, drafts and credit notes. Source: part-2 §2, Payments page. */
export function PaymentsTable({ state, rows }: { state: PaymentListState; rows: InvoiceRow[] }) {
  const to = ({ id }: InvoiceRow) => paymentsUrl.href(state, { dialog: 'invoice', invoice: id })
  return (
    <Table
      label="Payments"
      bordered
      rows={rows}
      getKey={({ id }) => id}
      columns={[
        {
          head: 'Description',
          cell: (row) => (
            <>
              <strong className="block truncate">{row.description}</strong>
              <span className="block truncate text-sm text-ink-3">{describe(row)}</span>
            </>
          ),
          className: 'w-1/2 max-w-0',
        },
        {
          head: 'Amount',
          alignRight: true,
          cell: ({ amount }) => <span className="font-medium text-ink">{amount}</span>,
        },
        { head: 'Status', cell: (row) => <Status row={row} /> },
        { head: 'Date', cell: ({ date }) => <span className="num">{date}</span> },
        {
          head: 'Actions',
          cell: (row) => {
            const name = `${row.number ?? 'the draft'}, ${row.description}`
            const className = 'btn btn-ghost btn-sm btn-icon'
            return (
              <span className="-ml-2 flex">
                <Link to={to(row)} preventScrollReset className={className} aria-label={`View ${name}`}>
                  <Eye className="i" />
                </Link>
                {row.status !== 'draft' && (
                  <a href={`/payments/${row.id}/pdf`} className={className} aria-label={`Download ${name}`}>
                    <Download className="i" />
                  </a>
                )}
              </span>
            )
          },
        },
      ]}
      renderListItem={(row) => (
        <Link className="block py-3" to={to(row)} preventScrollReset>
          <span className="flex justify-between gap-3">
            <span className="min-w-0 flex-1 truncate text-md font-semibold">{row.description}</span>
            <span className="num text-md font-semibold">{row.amount}</span>
          </span>
          <span className="mt-1 flex items-center justify-between gap-3">
            <span className="min-w-0 truncate text-sm text-ink-3">{`${describe(row)}, ${row.date}`}</span>
            <Status row={row} />
          </span>
        </Link>
      )}
    />
  )
}

const describe = ({ clientName, number }: InvoiceRow): string =>
  [clientName ?? 'Deleted client', number].filter(Boolean).join(' · ')

const Status = ({ row: { kind, status } }: { row: InvoiceRow }) =>
  kind === 'credit_note' ? <StatusBadge status="credit_note" /> : <StatusBadge status={status} />
