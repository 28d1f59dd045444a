import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { PortalSessions } from '../portal.ts'

/** The next sessions of a client, on the home page of the portal. */
export default function PortalSessionsCard({ data: { zone, sessions } }: { data: PortalSessions }) {
  return (
    <Card
      title={sessions.length === 1 ? 'Next session' : 'Next sessions'}
      aside={<span className="text-sm text-ink-3">{zone}</span>}
    >
      <ul className="rows border-t border-line-soft">
        {sessions.map(({ id, title, when, joinUrl, place, manageTo }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
            <div className="min-w-0 flex-1 basis-56">
              <p className="font-semibold wrap-anywhere">{title}</p>
              <p className="text-ink-2">{when}</p>
              {place && <p className="text-ink-3 wrap-anywhere">{place}</p>}
            </div>
            <p className="flex flex-wrap gap-2">
              {joinUrl && (
                <a className="btn btn-primary" href={joinUrl} rel="noreferrer" aria-label={`Join ${title}`}>
                  Join
                </a>
              )}
              <Link className="btn btn-secondary" to={manageTo} aria-label={`Change or cancel ${title}`}>
                Change or Cancel
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
