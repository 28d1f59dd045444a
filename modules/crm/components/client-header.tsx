import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Progress } from '#app/ui/components/progress.tsx'
import { programLabel } from './client-fields.tsx'

type HeaderClient = { name: string; status: string; program: string | null; progress: number }

// The negative top margin offsets the padding, so that the header doesn't move when editing starts.
const sticky = 'sticky top-14 z-20 -mx-2 -mt-3 mb-4 border-b border-line-soft bg-surface px-2 py-3 lg:top-0'

/** The client's name, status and actions. Sticky in edit mode, so that Save stays visible. */
export function ClientHeader({
  client: { name, status, program, progress },
  editing = false,
  children,
}: {
  client: HeaderClient
  editing?: boolean
  children: ReactNode
}) {
  return (
    <header className={`flex flex-wrap items-center gap-x-5 gap-y-4 ${editing ? sticky : 'mb-7'}`}>
      <span className={editing ? 'max-lg:hidden' : ''}>
        <Avatar name={name} size="xl" />
      </span>
      <div className={`min-w-0 flex-1 ${editing ? '' : 'basis-64'}`}>
        <h1 className={`title ${editing ? 'truncate' : 'wrap-anywhere'}`}>{name}</h1>
        <div
          className={`mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-3 lg:flex-nowrap ${editing ? 'max-lg:hidden' : ''}`}
        >
          <StatusBadge status={status} kind="client" />
          {program && <span className="wrap-anywhere lg:truncate">{programLabel(program)}</span>}
          <span className="flex shrink-0 items-center gap-2">
            <Progress value={progress} label="Progress" className="w-24" />
            <span className="num">{progress}%</span>
          </span>
        </div>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:w-full">{children}</div>
    </header>
  )
}

export function BackToClients() {
  return (
    <Link to="/clients" className="btn btn-ghost btn-sm -ml-2.5 mb-3">
      <ArrowLeft className="i" />
      Back to clients
    </Link>
  )
}
