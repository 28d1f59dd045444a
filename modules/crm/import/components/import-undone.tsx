import { pageHref } from '#app/lib/url.ts'
import { Pagination } from '#app/ui/components/pagination.tsx'
import { Stats } from '#app/ui/components/stats.tsx'
import { Table } from '#app/ui/components/table.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ImportStep } from '../import-loader.server.ts'

type UndoneStep = Extract<ImportStep, { step: 'undone' }>
type Kept = UndoneStep['clients'][number]

const formatNumber = (value: number): string => value.toLocaleString('en-US')

/** The result of the undo of an import: how many clients it has moved to the trash, and those that it kept. */
export function ImportUndone({ step: { moved, kept, deleted, clients, ...step } }: { step: UndoneStep }) {
  return (
    <>
      <Stats
        stats={[
          {
            label: 'Moved to the trash',
            value: formatNumber(moved),
            detail: moved ? 'Can be restored for 30 days' : 'None',
            ...(moved ? { to: '/trash?kind=client' } : {}),
          },
          { label: 'Kept', value: formatNumber(kept), detail: kept ? 'Changed or used since' : 'None' },
          ...(deleted
            ? [{ label: 'In the trash before', value: formatNumber(deleted), detail: 'Not changed by the undo' }]
            : []),
        ]}
      />
      {clients.length > 0 && <KeptClients clients={clients} {...step} />}
    </>
  )
}

function KeptClients({ id, clients, page, pages }: Pick<UndoneStep, 'id' | 'clients' | 'page' | 'pages'>) {
  const href = (other: number) => pageHref(`/clients/import/${id}`, other)
  return (
    <section className="mt-8" aria-label="Clients that were kept">
      <h2 className="h2 mb-3">Kept</h2>
      <Table
        label="Clients that were kept"
        bordered
        rows={clients}
        getKey={(client) => client.id}
        columns={[
          { head: 'Client', className: 'max-w-72', cell: (client) => <Person client={client} /> },
          { head: 'Why', className: '!whitespace-normal', cell: (client) => client.reason },
        ]}
        renderListItem={(client) => (
          <div className="px-4 py-3">
            <Person client={client} />
            <p className="mt-0.5 text-sm text-ink-2">{client.reason}</p>
          </div>
        )}
      />
      {pages > 1 && (
        <Pagination previous={page > 1 ? href(page - 1) : undefined} next={page < pages ? href(page + 1) : undefined}>
          Page {formatNumber(page)} of {formatNumber(pages)}
        </Pagination>
      )}
    </section>
  )
}

function Person({ client: { name, email, to } }: { client: Kept }) {
  return (
    <>
      {to === null ? (
        <strong className="block truncate">{name}</strong>
      ) : (
        <Link to={to} className="link hit block truncate font-semibold">
          {name}
        </Link>
      )}
      <span className="block truncate text-sm text-ink-3">{email}</span>
    </>
  )
}
