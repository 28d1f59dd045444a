import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'

/** A link, on the Settings page. */
export default function CalendarSettingsPane() {
  return (
    <Card title="Calendar">
      <p className="border-t border-line-soft px-5 py-5 text-ink-2">
        Show your sessions in other calendars, and import what is there, on the{' '}
        <Link className="link" to="/settings/calendar">
          Calendar page
        </Link>
        . What they are emailed, and when, is on the{' '}
        <Link className="link" to="/calendar/messages">
          Messages page
        </Link>
        .
      </p>
    </Card>
  )
}
