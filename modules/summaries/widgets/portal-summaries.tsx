import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { PortalSummaries } from '../portal.ts'

/** The summaries of a client's sessions, on the home page of the portal. */
export default function PortalSummariesCard({ data: { summaries } }: { data: PortalSummaries }) {
  return (
    <Card title="Session summaries">
      <ul className="rows border-t border-line-soft">
        {summaries.map(({ id, title, date, to }) => (
          <li key={id} className="flex items-center gap-3 px-5 py-3">
            <div className="min-w-0 flex-1">
              <p className="font-medium wrap-anywhere">{title}</p>
              <p className="text-sm text-ink-3">{date}</p>
            </div>
            <Link className="btn btn-secondary" to={to} aria-label={`Read the summary of ${title}, ${date}`}>
              Read
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
