import { Check } from 'lucide-react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { LifecycleBadge } from '#app/ui/components/lifecycle-badge.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { sessionRows } from '../list-state.ts'
import type { Overview } from '../overview-loader.server.ts'
import { GenerateButton } from './generate-button.tsx'

type Props = Pick<Overview, 'sessions' | 'page' | 'count'> & { to: (page: number) => string }

/** The sessions of the last days and those ahead, with what can be done about them. */
export function SessionManagement({ sessions, page, count, to }: Props) {
  if (!count) return <p className="px-5 pb-5 text-ink-3">No recent sessions to review</p>
  return (
    <>
      <ul className="rows border-t border-line-soft" aria-label="Session Management">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
            <Avatar name={session.name} />
            <span className="min-w-40 flex-1">
              <Link
                to={`/session-summaries/${session.id}`}
                className="block font-semibold wrap-anywhere hover:underline"
              >
                {session.title}
              </Link>
              <span className="block text-sm text-ink-3 wrap-anywhere">
                {session.name}, {session.when}
              </span>
            </span>
            {session.note && <span className="text-sm text-ink-3">{session.note}</span>}
            <LifecycleBadge {...session} />
            {session.canComplete && (
              <ButtonLink size="sm" icon={Check} to={`/calendar?dialog=complete&appointment=${session.id}`}>
                Mark Complete<span className="sr-only">: {session.title}</span>
              </ButtonLink>
            )}
            {session.canGenerate && <GenerateButton {...session} />}
          </li>
        ))}
      </ul>
      {count > sessionRows && (
        <div className="border-t border-line-soft px-5 pb-4">
          <PageSummary page={page} size={sessionRows} rows={sessions.length} count={count} to={to} preventScrollReset />
        </div>
      )}
    </>
  )
}
