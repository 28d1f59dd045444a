import { Link } from '@remix-run/react'
import { ChevronRight, UserRoundPlus } from 'lucide-react'

export default function AddProspectAction() {
  return (
    <Link to="/pipeline?openProspectModal=true" className="flex min-h-11 items-center gap-3 px-5 text-ink -outline-offset-2 hover:bg-hover">
      <UserRoundPlus className="i text-ink-3" />
      <span className="flex-1 font-medium">Add Prospect</span>
      <ChevronRight className="i size-3.5 text-ink-3" />
    </Link>
  )
}
