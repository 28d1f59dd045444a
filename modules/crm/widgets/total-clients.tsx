import { Users } from 'lucide-react'
import { Stat } from '#app/ui/components/stats.tsx'
import type { TotalClients } from '../contributions.ts'

export default function TotalClientsStat({ data: { total, added, limit } }: { data: TotalClients }) {
  return (
    <Stat
      to="/clients"
      icon={Users}
      label="Total Clients"
      value={total.toLocaleString('en-US')}
      detail={describeTotal(total, added, limit)}
    />
  )
}

function describeTotal(total: number, added: number, limit: number | null): string {
  if (added) return `${added.toLocaleString('en-US')} added this month`
  if (limit !== null) return total ? `${total} of ${limit} on your plan` : `Your plan includes ${limit}`
  return 'none added this month'
}
