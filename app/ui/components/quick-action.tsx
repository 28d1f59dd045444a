import { ChevronRight } from 'lucide-react'
import type { Icon } from './button.tsx'
import { Link } from '../navigation/link.tsx'

/** A row in the dashboard's Quick Actions card. */
export function QuickAction({ to, icon: Icon, children }: { to: string; icon: Icon; children: string }) {
  return (
    <Link to={to} className="flex min-h-11 items-center gap-3 px-5 text-ink -outline-offset-2 hover:bg-hover">
      <Icon className="i text-ink-3" />
      <span className="flex-1 font-medium">{children}</span>
      <ChevronRight className="i size-3.5 text-ink-3" />
    </Link>
  )
}
