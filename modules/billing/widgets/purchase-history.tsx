import { Link } from '@remix-run/react'
import { StatusBadge } from '#app/ui/badge.tsx'
import { Card } from '#app/ui/page.tsx'
import type { PurchaseHistory } from '../contributions.ts'

/** The three latest purchases of a client, then how many more, and the total. */
export default function PurchaseHistoryCard({ data: { clientId, purchases, more, total } }: { data: PurchaseHistory }) {
  return (
    <Card
      title="Purchase History"
      aside={
        <Link className="link text-sm" to={`/clients/${clientId}/purchases`}>
          {purchases.length ? 'View all' : 'Record Purchase'}
        </Link>
      }
    >
      {purchases.length ? (
        <>
          <ul aria-label="Latest purchases" className="rows border-t border-line-soft">
            {purchases.map((purchase) => (
              <li key={purchase.id} className="flex items-start justify-between gap-3 px-5 py-3">
                <span className="min-w-0">
                  <span className="block truncate font-semibold">{purchase.productName}</span>
                  <span className="block text-sm text-ink-3">{purchase.when}</span>
                </span>
                <span className="grid shrink-0 justify-items-end gap-0.5">
                  <span className="num font-medium">{purchase.amount}</span>
                  <StatusBadge status={purchase.status} />
                </span>
              </li>
            ))}
          </ul>
          <p className="flex justify-between gap-3 border-t border-line-soft px-5 py-3 text-sm text-ink-3">
            <span>{more > 0 ? `+${more} more` : ''}</span>
            <span className="num">Total {total}</span>
          </p>
        </>
      ) : (
        <p className="px-5 pb-5 text-ink-3">No purchases yet.</p>
      )}
    </Card>
  )
}
