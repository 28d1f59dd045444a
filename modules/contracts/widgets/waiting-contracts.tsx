import { Card } from '#app/ui/components/page.tsx'
import { ContractRows } from '../components/contract-rows.tsx'
import type { WaitingContracts } from '../contributions.ts'

/** The contracts that clients have signed and the coach has not, on the dashboard. */
export default function WaitingContractsCard({ data: { contracts } }: { data: WaitingContracts }) {
  if (!contracts.length) return null
  return (
    <Card title="Contracts to Sign">
      <div className="border-t border-line-soft">
        <ContractRows label="Contracts to Sign" contracts={contracts} />
      </div>
    </Card>
  )
}
