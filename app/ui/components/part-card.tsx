import { Link } from '../navigation/link.tsx'
import { Badge } from './badge.tsx'
import { Card } from './page.tsx'

type Props = {
  title: string
  items: { key: string; title: string; detail: string; to: string; isLate?: boolean }[]
  /** The page of the others. */
  more: { label: string; to: string } | null
}

/** A card with links that other modules contribute, such as a part of the list of today. */
export function PartCard({ title, items, more }: Props) {
  return (
    <Card title={title}>
      <ul className="rows border-t border-line-soft" aria-label={title}>
        {items.map(({ key, title: name, detail, to, isLate }) => (
          <li key={key} className="relative flex items-center gap-3 px-5 py-2.5 hover:bg-hover">
            <div className="min-w-0 flex-1">
              <Link to={to} className="block truncate font-medium after:absolute after:inset-0">
                {name}
              </Link>
              <p className="truncate text-sm text-ink-3">{detail}</p>
            </div>
            {isLate && <Badge tone="danger">Overdue</Badge>}
          </li>
        ))}
      </ul>
      {more && (
        <Link className="link block border-t border-line-soft px-5 py-3 text-sm" to={more.to}>
          {more.label}
        </Link>
      )}
    </Card>
  )
}
