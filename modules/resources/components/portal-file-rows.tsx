import { Link } from '#app/ui/navigation/link.tsx'
import type { PortalFile } from '../portal.ts'

/** The files for a client, in the portal. */
export function PortalFileRows({ files }: { files: PortalFile[] }) {
  return (
    <ul className="rows border-t border-line-soft" aria-label="Files">
      {files.map(({ shareId, name, details, isNew, to }) => (
        <li key={shareId} className="flex items-center gap-3 px-5 py-3">
          <div className="min-w-0 flex-1">
            <p className="font-medium wrap-anywhere">
              {name} {isNew && <span className="badge">New</span>}
            </p>
            <p className="text-sm text-ink-3">{details}</p>
          </div>
          <Link className="btn btn-secondary" to={to} aria-label={`Open ${name}`}>
            Open
          </Link>
        </li>
      ))}
    </ul>
  )
}
