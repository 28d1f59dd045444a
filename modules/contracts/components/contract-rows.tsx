import { Badge, type Tone } from '#app/ui/components/badge.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ContractView } from '../contracts-loader.server.ts'
import { contractStatuses, type ContractStatus } from '../fields.ts'

const tones: Record<ContractStatus, Tone> = {
  draft: 'neutral',
  sent: 'info',
  viewed: 'info',
  signed_by_client: 'warning',
  signed_by_coach: 'info',
  completed: 'success',
  declined: 'danger',
  expired: 'neutral',
  voided: 'neutral',
}

export const ContractBadge = ({ status }: { status: ContractStatus }) => (
  <Badge tone={tones[status]}>{contractStatuses[status]}</Badge>
)

/** Contracts, with the client's name unless `isOfClient`. */
export function ContractRows({
  label,
  contracts,
  isOfClient = false,
}: {
  label: string
  contracts: ContractView[]
  isOfClient?: boolean
}) {
  return (
    <ul className="rows" aria-label={label}>
      {contracts.map(({ id, title, clientName, status, date }) => (
        <li key={id} className="flex items-center gap-3 px-5 py-3">
          <span className="min-w-0 flex-1">
            <Link to={`/contracts/${id}`} className="block truncate font-medium hover:underline">
              {title}
            </Link>
            <span className="block truncate text-sm text-ink-3">{isOfClient ? date : `${clientName}, ${date}`}</span>
          </span>
          <ContractBadge status={status} />
        </li>
      ))}
    </ul>
  )
}
