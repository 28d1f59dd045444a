import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'

/** A link, on the Settings page. */
export default function SessionNotesSettingsPane() {
  return (
    <Card title="Session Notes">
      <p className="border-t border-line-soft px-5 py-5 text-ink-2">
        The wording of the consent, and how long transcripts are kept, are on the{' '}
        <Link className="link" to="/settings/session-notes">
          Session Notes page
        </Link>
        .
      </p>
    </Card>
  )
}
