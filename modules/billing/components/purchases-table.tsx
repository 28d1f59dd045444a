import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Table } from '#app/ui/components/table.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { purchasesUrl, type PurchaseListState } from '../list-state.ts'
import type { PurchaseView } from '../purchases-loader.server.ts'
import { PurchaseActions } from './purchase-row.tsx'

type Client = { id: number; name: string; inTrash: boolean }
type Row = PurchaseView & { client: Client | null }

export function PurchasesTable({ state, rows }: { state: PurchaseListState; rows: Row[] }) {
  return (
    <Table
      label="Purchases"
      bordered
      rows={rows}
      getKey={({ id }) => id}
      columns={[
        {
          head: 'Product',
          cell: ({ productName }) => <strong className="block truncate">{productName}</strong>,
          className: 'w-2/5 max-w-0',
        },
        { head: 'Client', cell: ({ client }) => <ClientLink client={client} />, className: 'w-1/4 max-w-0' },
        {
          head: 'Amount',
          alignRight: true,
          cell: ({ amount }) => <span className="font-medium text-ink">{amount}</span>,
        },
        { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
        { head: 'Method', cell: ({ method }) => method, hidden: 'max-xl:hidden' },
        { head: 'Date', cell: ({ date }) => <span className="num">{date}</span> },
        {
          head: 'Actions',
          cell: (purchase) => (
            <span className="-ml-2 flex">
              <PurchaseActions purchase={purchase} />
            </span>
          ),
        },
      ]}
      renderListItem={(purchase) => (
        <PurchaseLine
          purchase={purchase}
          to={purchasesUrl.href(state, { dialog: 'edit-purchase', purchase: purchase.id })}
        />
      )}
    />
  )
}

/** A row on a narrow screen. */
function PurchaseLine({ purchase, to }: { purchase: Row; to: string }) {
  const { productName, amount, client, date, status } = purchase
  return (
    <Link className="block py-3" to={to} preventScrollReset>
      <span className="flex justify-between gap-3">
        <span className="min-w-0 flex-1 truncate text-md font-semibold">{productName}</span>
        <span className="num text-md font-semibold">{amount}</span>
      </span>
      <span className="mt-1 flex items-center justify-between gap-3">
        <span className="min-w-0 truncate text-sm text-ink-3">{client ? `${client.name}, ${date}` : date}</span>
        <StatusBadge status={status} />
      </span>
    </Link>
  )
}

function ClientLink({ client }: { client: Client | null }) {
  if (!client) return <span className="text-ink-3">Deleted client</span>
  if (client.inTrash) return <span className="block truncate">{client.name}</span>
  return (
    <Link className="block truncate hover:text-ink hover:underline" to={`/clients/${client.id}`}>
      {client.name}
    </Link>
  )
}
