import { useLocation } from '@remix-run/react'
import { withQuery } from '#app/lib/url.ts'
import { Card } from '#app/ui/components/page.tsx'
import { Progress } from '#app/ui/components/progress.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { PackagesCardData } from '../contributions.ts'

/** The remaining sessions of the client's packages. */
export default function PackagesCard({ data: packages }: { data: PackagesCardData }) {
  const { pathname, search } = useLocation()
  if (!packages.length) return null
  return (
    <Card title="Sessions Left">
      <ul aria-label="Packages" className="rows border-t border-line-soft">
        {packages.map(({ purchaseId, productName, date, left, percent }) => (
          <li key={purchaseId}>
            <Link
              to={withQuery(pathname + search, { dialog: 'edit-purchase', purchase: String(purchaseId) })}
              preventScrollReset
              className="grid gap-2 px-5 py-3 -outline-offset-2 hover:bg-hover"
            >
              <span className="min-w-0">
                <span className="block font-semibold">{left}</span>
                <span className="block truncate text-sm text-ink-3">
                  {productName}, {date}
                </span>
              </span>
              <Progress value={percent} label={left} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
