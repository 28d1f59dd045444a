import { useLocation } from '@remix-run/react'
import { withQuery } from '#app/lib/url-state.ts'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { TotalsLine } from '../components/totals-line.tsx'
import type { HistoryCard } from '../contributions.ts'

/** The three latest purchases of a client, then how many more, and the total. */
export default function PurchaseHistoryCard({ data: { clientId, purchases, more, totals } }: { data: HistoryCard }) {
  const { pathname, search } = useLocation()
  const all = `/clients/${clientId}/purchases`
  return (
    <Card
      title="Purchase History"
      aside={
        purchases.length ? (
          <Link className="link text-sm" to={all}>
            View all
          </Link>
        ) : (
          <Link className="link text-sm" to={withQuery(pathname + search, { dialog: 'purchase' })} preventScrollReset>
            Record Purchase
          </Link>
        )
      }
    >
      {purchases.length ? (
        <>
          <ul aria-label="Latest purchases" className="rows border-t border-line-soft">
            {purchases.map((purchase) => (
              <li key={purchase.id}>
                <Link
                  to={withQuery(pathname + search, { dialog: 'edit-purchase', purchase: String(purchase.id) })}
                  preventScrollReset
                  className="flex items-start justify-between gap-3 px-5 py-3 -outline-offset-2 hover:bg-hover"
                >
                  <span className="min-w-0">
                    <span className="block truncate font-semibold">{purchase.productName}</span>
                    <span className="block text-sm text-ink-3">{purchase.when}</span>
                  </span>
                  <span className="grid shrink-0 justify-items-end gap-0.5">
                    <span className="num font-medium">{purchase.amount}</span>
                    <StatusBadge status={purchase.status} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          <p className="flex flex-wrap justify-between gap-x-3 border-t border-line-soft px-5 py-3 text-sm text-ink-3">
            {more > 0 && (
              <Link className="hit hover:text-ink" to={all}>
                +{more.toLocaleString('en-US')} more
              </Link>
            )}
            <span className="ml-auto">
              <TotalsLine totals={totals} />
            </span>
          </p>
        </>
      ) : (
        <p className="px-5 pb-5 text-ink-3">No purchases yet.</p>
      )}
    </Card>
  )
}
