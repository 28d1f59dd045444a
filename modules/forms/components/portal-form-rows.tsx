import { Link } from '#app/ui/navigation/link.tsx'
import type { PortalForm } from '../portal.ts'

const labels: Record<PortalForm['status'], string> = { sent: 'Begin', started: 'Continue', submitted: 'Read' }

/** The forms of a client, in the portal. */
export function PortalFormRows({ forms, label }: { forms: PortalForm[]; label: string }) {
  return (
    <ul className="rows border-t border-line-soft" aria-label={label}>
      {forms.map(({ id, name, status, details, to }) => (
        <li key={id} className="flex items-center gap-3 px-5 py-3">
          <div className="min-w-0 flex-1">
            <p className="font-medium wrap-anywhere">{name}</p>
            <p className="text-sm text-ink-3">{details}</p>
          </div>
          <Link className="btn btn-secondary" to={to} aria-label={`${labels[status]} ${name}`}>
            {labels[status]}
          </Link>
        </li>
      ))}
    </ul>
  )
}
