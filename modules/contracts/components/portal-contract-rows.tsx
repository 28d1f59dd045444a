import { Link } from '#app/ui/navigation/link.tsx'
import type { PortalContract } from '../portal.ts'

/** The contracts of a client, in the portal. */
export function PortalContractRows({ contracts, label }: { contracts: PortalContract[]; label: string }) {
  return (
    <ul className="rows border-t border-line-soft" aria-label={label}>
      {contracts.map(({ id, title, toSign, details, to }) => (
        <li key={id} className="flex items-center gap-3 px-5 py-3">
          <div className="min-w-0 flex-1">
            <p className="font-medium wrap-anywhere">{title}</p>
            <p className="text-sm text-ink-3">{details}</p>
          </div>
          <Link className="btn btn-secondary" to={to} aria-label={`${toSign ? 'Read and sign' : 'Open'} ${title}`}>
            {toSign ? 'Read and sign' : 'Open'}
          </Link>
        </li>
      ))}
    </ul>
  )
}
