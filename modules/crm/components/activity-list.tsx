import { Archive, ArchiveRestore, Banknote, Check, Flag, MessageSquare, UserPlus } from 'lucide-react'
import type { Icon as IconComponent } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'

export type ActivityItem = {
  id: number
  type: string
  title: string
  description: string | null
  clientId: number | null
  when: string
}

const successTone = 'bg-success-soft text-success-text'
const neutralTone = 'bg-sunken text-ink-2'
const activityIcons: Record<string, { icon: IconComponent; tone: string }> = {
  session_completed: { icon: Check, tone: successTone },
  payment_received: { icon: Banknote, tone: successTone },
  message_received: { icon: MessageSquare, tone: 'bg-info-soft text-info-text' },
  client_added: { icon: UserPlus, tone: neutralTone },
  client_status_changed: { icon: Flag, tone: neutralTone },
  client_archived: { icon: Archive, tone: neutralTone },
  client_unarchived: { icon: ArchiveRestore, tone: neutralTone },
}
const defaultIcon = { icon: Check, tone: neutralTone }

/** Activities, optionally linked to their clients. */
export function ActivityList({ activities, linked = false }: { activities: ActivityItem[]; linked?: boolean }) {
  return (
    <ul className="py-1.5">
      {activities.map((activity) => {
        const { icon: Icon, tone } = activityIcons[activity.type] ?? defaultIcon
        const content = (
          <>
            <span className={`mt-0.5 grid size-7 shrink-0 place-items-center rounded-full ${tone}`}>
              <Icon className="i size-3.5" />
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
                {content}
              </Link>
            ) : (
              <span className="flex gap-3 px-5 py-2.5">{content}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
