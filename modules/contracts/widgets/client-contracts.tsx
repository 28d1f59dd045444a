import { Plus } from 'lucide-react'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ContractRows } from '../components/contract-rows.tsx'
import type { ClientContracts } from '../contributions.ts'

/** The contracts of a client. */
export default function ClientContractsCard({ data: { clientId, contracts } }: { data: ClientContracts }) {
  return (
    <Card
      title="Contracts"
      aside={
        <Link
          to={`/contracts?dialog=add&client=${clientId}`}
          aria-label="Add Contract"
          className="btn btn-ghost btn-sm btn-icon -mr-1.5"
        >
          <Plus className="i" />
        </Link>
      }
    >
      {contracts.length ? (
        <div className="border-t border-line-soft">
          <ContractRows label="Contracts" contracts={contracts} isOfClient />
        </div>
      ) : (
        <p className="px-5 pb-4 text-ink-3">There are no contracts.</p>
      )}
    </Card>
  )
}
