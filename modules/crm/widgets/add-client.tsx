import { Link } from '@remix-run/react'
import { ChevronRight, UserPlus } from 'lucide-react'

export default function AddClientAction() {
  return (
    <Link to="/clients?dialog=add" className="flex min-h-11 items-center gap-3 px-5 text-ink -outline-offset-2 hover:bg-hover">
      <UserPlus className="i text-ink-3" />
      <span className="flex-1 font-medium">Add Client</span>
      <ChevronRight className="i size-3.5 text-ink-3" />
    </Link>
  )
}
