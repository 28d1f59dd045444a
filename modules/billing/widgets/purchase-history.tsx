import { useLocation } from '@remix-run/react'
import { Plus } from 'lucide-react'
import { withQuery } from '#app/lib/url.ts'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card } from '#app/ui/components/page.tsx'
import type { HistoryCardData } from '../contributions.ts'
import { lowercaseMethod } from '../format.ts'

/** The client's latest purchases, how many more there are, and the total. */
export default function PurchaseHistoryCard({
  data: { clientId, purchases, more, totals },
}: {
  data: HistoryCardData
}) {
  const { pathname, search } = useLocation()
  const all = `/clients/${clientId}/purchases`
  return (
    <Card
      title="Purchase History"
      aside={
        <Link
          to={withQuery(pathname + search, { dialog: 'purchase' })}
          preventScrollReset
          aria-label="Record Purchase"
          className="btn btn-ghost btn-sm btn-icon -mr-1.5"
        >
          <Plus className="i" />
        </Link>
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
                    <span className="block truncate text-sm text-ink-3">
                      {purchase.date}, {lowercaseMethod(purchase.method)}
                    </span>
                  </span>
                  <span className="grid shrink-0 justify-items-end gap-0.5">
                    <span className="num font-medium">{purchase.amount}</span>
                    <StatusBadge status={purchase.status} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          <p className="flex items-center justify-between gap-3 border-t border-line px-5 py-3">
            <Link className="link hit text-sm" to={all}>
              {more > 0 ? `+${more.toLocaleString('en-US')} more` : 'View all'}
            </Link>
            <span className="num">
              <span className="mr-1 text-sm text-ink-3">Total</span>{' '}
              <strong className="font-semibold">{totals.total}</strong>
            </span>
          </p>
        </>
      ) : (
        <p className="px-5 pb-5 text-ink-3">No purchases yet.</p>
      )}
    </Card>
  )
}
