import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ProgressSummary } from '../components/progress-summary.tsx'
import type { ClientPrograms } from '../contributions.ts'
import { programUrl } from '../list-state.ts'

/** The programs of a client, on their page. */
export default function ClientProgramsCard({ data: { assignTo, programs } }: { data: ClientPrograms }) {
  return (
    <Card
      title="Programs"
      aside={
        <Link to={assignTo} className="link text-sm">
          Assign Program
        </Link>
      }
    >
      {programs.length ? (
        <ul className="rows border-t border-line-soft" aria-label="Programs">
          {programs.map(({ id, name, progress }) => (
            <li key={id} className="grid gap-2 px-5 py-3">
              <Link to={programUrl(id).href()} className="font-medium wrap-anywhere hover:underline">
                {name}
              </Link>
              <ProgressSummary progress={progress} label={`Progress of ${name}`} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="px-5 pb-4 text-ink-3">No programs.</p>
      )}
    </Card>
  )
}
