import { Badge } from '#app/ui/components/badge.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ServiceHealth } from '../contributions.ts'

/**
 * A link, and how the services that the platform has for it work, on the Settings page. `data`: empty without the plan.
 */
export default function SessionNotesSettingsPane({ data }: { data: ServiceHealth[] }) {
  return (
    <Card title="Session Notes">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line-soft px-5 py-5">
        <p className="text-ink-2">
          The wording of the consent, and how long transcripts are kept, are on the{' '}
          <Link className="link" to="/settings/session-notes">
            Session Notes page
          </Link>
          .
        </p>
        {data.length === 0 && (
          <p className="text-ink-2">
            Transcripts and summaries are part of the Pro and Premium plans.{' '}
            <Link className="link" to="/upgrade">
              See the plans
            </Link>
          </p>
        )}
        {data.map(({ name, tone, label, text, failed }) => (
          <div key={name} className="grid gap-1">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{name}</span>
              <Badge tone={tone}>{label}</Badge>
            </p>
            <p className="text-sm text-ink-2">{text}</p>
            {failed && (
              <p className="text-sm text-ink-2">
                Last failure: {failed.text}{' '}
                <Link className="link" to={failed.to}>
                  Open the session
                </Link>
              </p>
            )}
          </div>
        ))}
      </div>
    </Card>
  )
}
