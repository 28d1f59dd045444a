import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { OverviewSection } from '../overview-loader.server.ts'

/** The largest groups of a number. */
export function GroupList({ list: { title, rows, more } }: { list: OverviewSection['lists'][number] }) {
  return (
    <Card
      title={title}
      aside={
        more && (
          <Link className="link text-sm" to={more.to} aria-label={`${title}: ${more.label.toLowerCase()}`}>
            {more.label}
          </Link>
        )
      }
    >
      {rows.length ? (
        <ul className="rows border-t border-line-soft">
          {rows.map((row) => (
            <li key={row.key} className="flex items-baseline justify-between gap-4 px-5 py-3">
              <span className="min-w-0 truncate">{row.title}</span>
              <Link className="link num shrink-0" to={row.to} aria-label={`${row.title}: ${row.number}`}>
                {row.number}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="border-t border-line-soft px-5 py-4 text-ink-3">Nothing in this period.</p>
      )}
    </Card>
  )
}
