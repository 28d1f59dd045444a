import { Plus } from 'lucide-react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { ChairsIllustration, EmptyState } from '#app/ui/components/empty-state.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { Progress } from '#app/ui/components/progress.tsx'
import { Table } from '#app/ui/components/table.tsx'
import type { RecentClients } from '../contributions.ts'

export default function RecentClientsCard({ data: { clients, total } }: { data: RecentClients }) {
  if (!clients.length) {
    return (
      <Card title="Recent Clients">
        <EmptyState
          className="!pb-6 !pt-1"
          level="h3"
          title="No clients found"
          illustration={<ChairsIllustration />}
          action={
            <ButtonLink to="/clients?dialog=add" icon={Plus}>
              Add Client
            </ButtonLink>
          }
        >
          Your five newest clients will appear here.
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card
      title="Recent Clients"
      aside={
        <Link to="/clients" className="link text-sm" prefetch="intent">
          View all
        </Link>
      }
    >
      <Table
        label="Recent Clients"
        rows={clients}
        getKey={(client) => client.id}
        columns={[
          {
            head: 'Name',
            cell: (client) => (
              <Link to={`/clients/${client.id}`} className="flex items-center gap-3 rounded-md">
                <Avatar name={client.name} />
                <span className="min-w-0">
                  <strong className="block truncate">{client.name}</strong>
                  <span className="block truncate text-sm text-ink-3">{client.email}</span>
                </span>
              </Link>
            ),
            className: 'w-2/5 max-w-0',
          },
          {
            head: 'Program',
            cell: (client) => client.program ?? '–',
            className: 'w-1/4 max-w-0 truncate',
            hidden: 'xl:max-[90rem]:hidden',
          },
          {
            head: 'Progress',
            cell: (client) => (
              <span className="flex items-center gap-2.5">
                <Progress value={client.progress} label={`Progress of ${client.name}`} className="w-14" />
                <span className="num text-sm">{client.progress}%</span>
              </span>
            ),
          },
          { head: 'Status', cell: (client) => <StatusBadge status={client.status} kind="client" /> },
          { head: 'Total spent', alignRight: true, className: 'text-ink', cell: (client) => client.spent },
        ]}
        renderListItem={(client) => (
          <Link to={`/clients/${client.id}`} className="flex min-h-16 items-center gap-3 px-4 py-2.5 -outline-offset-2">
            <Avatar name={client.name} />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-semibold">{client.name}</span>
              <span className="block truncate text-sm text-ink-3">{client.program ?? client.email}</span>
            </span>
            <span className="text-right">
              <span className="num block font-medium">{client.spent}</span>
              <StatusBadge status={client.status} kind="client" />
            </span>
          </Link>
        )}
      />
      <p className="num border-t border-line-soft px-4 py-3 text-sm text-ink-3 sm:px-5">
        Showing {clients.length} of {total.toLocaleString('en-US')}
      </p>
    </Card>
  )
}
