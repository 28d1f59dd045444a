import { CreditCard } from 'lucide-react'
import { Link } from '#app/ui/link.tsx'
import type { Revenue } from '../contributions.ts'

export default function RevenueStat({ data: { amount, fact, month } }: { data: Revenue }) {
  return (
    <Link to={`/purchases?month=${month}&status=completed`} className="stat">
      <span className="k">
        <CreditCard className="i" />
        Revenue
      </span>
      <span className="v">{amount}</span>
      <span className="d">{fact}</span>
    </Link>
  )
}
