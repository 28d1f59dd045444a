import { SquareKanban } from 'lucide-react'
import { Stat } from '#app/ui/components/stats.tsx'
import type { ActiveProspects } from '../contributions.ts'

/** The prospects on the board, and what they may be worth. */
export default function ActiveProspectsStat({ data: { count, fact } }: { data: ActiveProspects }) {
  return (
    <Stat
      to="/pipeline"
      icon={SquareKanban}
      label="Active Prospects"
      value={count.toLocaleString('en-US')}
      detail={fact}
    />
  )
}
