import { Card } from '#app/ui/components/page.tsx'
import { PortalContractRows } from '../components/portal-contract-rows.tsx'
import type { PortalContracts } from '../portal.ts'

/** The contracts that wait for a client's signature, on the home page of the portal. */
export default function PortalContractsCard({ data: { contracts } }: { data: PortalContracts }) {
  return (
    <Card title="Contracts to sign">
      <PortalContractRows contracts={contracts} label="Contracts to sign" />
    </Card>
  )
}
