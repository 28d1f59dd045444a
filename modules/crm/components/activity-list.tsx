import { Archive, ArchiveRestore, Banknote, Check, Flag, MessageSquare, UserPlus } from 'lucide-react'
import type { Icon } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'

export type ActivityLine = {
  id: number
  type: string
  title: string
  description: string | null
  clientId: number | null
  when: string
}

const good = 'bg-success-soft text-success-text'
const calm = 'bg-sunken text-ink-2'
const signs: Record<string, { icon: Icon; tone: string }> = {
  session_completed: { icon: Check, tone: good },
  payment_received: { icon: Banknote, tone: good },
  message_received: { icon: MessageSquare, tone: 'bg-info-soft text-info-text' },
  client_added: { icon: UserPlus, tone: calm },
  client_status_changed: { icon: Flag, tone: calm },
  client_archived: { icon: Archive, tone: calm },
  client_unarchived: { icon: ArchiveRestore, tone: calm },
}
const unknown = { icon: Check, tone: calm }

/** What happened, one line each. `linked`: each leads to its client. */
export function ActivityList({ activities, linked = false }: { activities: ActivityLine[]; linked?: boolean }) {
  return (
    <ul className="py-1.5">
      {activities.map((activity) => {
        const { icon: Sign, tone } = signs[activity.type] ?? unknown
        const face = (
          <>
            <span className={`mt-0.5 grid size-7 shrink-0 place-items-center rounded-full ${tone}`}>
              <Sign className="i size-3.5" />
            </span>
            <span className="min-w-0 flex-1">
              <span className="flex gap-2">
                <span className="min-w-0 flex-1 truncate font-medium">{activity.title}</span>
                <span className="num shrink-0 text-sm text-ink-3">{activity.when}</span>
              </span>
              {activity.description && (
                <span className="block truncate text-sm text-ink-3">{activity.description}</span>
              )}
            </span>
          </>
        )
        return (
          <li key={activity.id}>
            {linked && activity.clientId !== null ? (
              <Link
                to={`/clients/${activity.clientId}`}
                className="flex gap-3 px-5 py-2.5 -outline-offset-2 hover:bg-hover"
              >
                {face}
              </Link>
            ) : (
              <span className="flex gap-3 px-5 py-2.5">{face}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
