import { SquareKanban } from 'lucide-react'
import { Link } from '#app/ui/link.tsx'
import type { ActiveProspects } from '../contributions.ts'

/** The prospects on the board, and what they may be worth. */
export default function ActiveProspectsStat({ data: { count, fact } }: { data: ActiveProspects }) {
  return (
    <Link to="/pipeline" className="stat">
      <span className="k">
        <SquareKanban className="i" />
        Active Prospects
      </span>
      <span className="v">{count.toLocaleString('en-US')}</span>
      <span className="d">{fact}</span>
    </Link>
  )
}
