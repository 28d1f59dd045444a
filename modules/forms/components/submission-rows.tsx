import { Badge, type Tone } from '#app/ui/components/badge.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { submissionStates, type SubmissionState } from '../fields.ts'
import { submissionUrl } from '../list-state.ts'

export type SubmissionView = { id: number; formName: string; personName: string; status: SubmissionState; date: string }

const tones: Record<SubmissionState, Tone> = { sent: 'neutral', started: 'warning', submitted: 'success' }

export const StateBadge = ({ status }: { status: SubmissionState }) => (
  <Badge tone={tones[status]}>{submissionStates[status]}</Badge>
)

/** Forms that were sent. `shows`: the name of the person or of the form. */
export function SubmissionRows({
  label,
  submissions,
  shows,
}: {
  label: string
  submissions: SubmissionView[]
  shows: 'person' | 'form' | 'both'
}) {
  return (
    <ul className="rows" aria-label={label}>
      {submissions.map(({ id, formName, personName, status, date }) => (
        <li key={id} className="flex items-center gap-3 px-5 py-3">
          <span className="min-w-0 flex-1">
            <Link to={submissionUrl(id).href()} className="block truncate font-medium hover:underline">
              {shows === 'form' ? formName : personName}
            </Link>
            <span className="block truncate text-sm text-ink-3">
              {shows === 'both' ? `${formName}, ${date}` : date}
            </span>
          </span>
          <StateBadge status={status} />
        </li>
      ))}
    </ul>
  )
}
