import { ChevronRight } from 'lucide-react'
import type { Icon } from './button.tsx'
import { Link } from '../navigation/link.tsx'

/** A row of the dashboard's Quick Actions. */
export function QuickAction({ to, icon: Sign, children }: { to: string; icon: Icon; children: string }) {
  return (
    <Link to={to} className="flex min-h-11 items-center gap-3 px-5 text-ink -outline-offset-2 hover:bg-hover">
      <Sign className="i text-ink-3" />
      <span className="flex-1 font-medium">{children}</span>
      <ChevronRight className="i size-3.5 text-ink-3" />
    </Link>
  )
}
