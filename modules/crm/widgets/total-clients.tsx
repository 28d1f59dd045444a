import { Users } from 'lucide-react'
import { Link } from '#app/ui/link.tsx'
import type { TotalClients } from '../contributions.ts'

export default function TotalClientsStat({ data: { total, added, limit } }: { data: TotalClients }) {
  return (
    <Link to="/clients" className="stat">
      <span className="k">
        <Users className="i" />
        Total Clients
      </span>
      <span className="v">{total.toLocaleString('en-US')}</span>
      <span className="d">{factOf(total, added, limit)}</span>
    </Link>
  )
}

function factOf(total: number, added: number, limit: number | null): string {
  if (added) return `${added.toLocaleString('en-US')} added this month`
  if (limit !== null) return total ? `${total} of ${limit} on your plan` : `Your plan includes ${limit}`
  return 'none added this month'
}
