import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ProgressSummary } from '../components/progress-summary.tsx'
import type { PortalPrograms } from '../portal.ts'

/** The running programs of a client, on the home page of the portal. */
export default function PortalProgramCard({ data: { programs } }: { data: PortalPrograms }) {
  return (
    <Card title="Your program">
      <ul className="rows border-t border-line-soft" aria-label="Programs">
        {programs.map(({ id, name, progress, next }) => (
          <li key={id} className="grid gap-3 px-5 py-4">
            <p className="font-medium wrap-anywhere">{name}</p>
            <ProgressSummary progress={progress} label={`Progress of ${name}`} />
            {next.length > 0 && (
              <ul className="grid gap-1 text-sm" aria-label={`Next in ${name}`}>
                {next.map(({ id: itemId, title, due, isOverdue }) => (
                  <li key={itemId} className="wrap-anywhere">
                    {title}
                    {due && (
                      <span className={isOverdue ? 'text-danger-text' : 'text-ink-3'}>
                        {isOverdue ? `, overdue: ${due}` : `, due: ${due}`}
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      <Link className="link block border-t border-line-soft px-5 py-3" to="/portal/program">
        Open the program
      </Link>
    </Card>
  )
}
