import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { Drafts } from '../contributions.ts'

/** The summaries that wait for the coach's approval, on the dashboard. */
export default function DraftsCard({ data: { drafts, more } }: { data: Drafts }) {
  if (!drafts.length) return null
  return (
    <Card title="Summaries to approve">
      <ul className="rows border-t border-line-soft" aria-label="Summaries to approve">
        {drafts.map(({ id, title, name }) => (
          <li key={id} className="relative px-5 py-2.5 hover:bg-hover">
            <Link to={`/session-summaries/${id}`} className="block truncate font-medium after:absolute after:inset-0">
              {title}
            </Link>
            <span className="block truncate text-sm text-ink-3">{name}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Link className="link block border-t border-line-soft px-5 py-3 text-sm" to="/session-summaries">
          {more} more
        </Link>
      )}
    </Card>
  )
}
