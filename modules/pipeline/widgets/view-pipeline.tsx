import { Link } from '@remix-run/react'
import { ChevronRight, SquareKanban } from 'lucide-react'

export default function ViewPipelineAction() {
  return (
    <Link to="/pipeline" className="flex min-h-11 items-center gap-3 px-5 text-ink -outline-offset-2 hover:bg-hover">
      <SquareKanban className="i text-ink-3" />
      <span className="flex-1 font-medium">View Pipeline</span>
      <ChevronRight className="i size-3.5 text-ink-3" />
    </Link>
  )
}
