import { useFetcher, useLocation } from '@remix-run/react'
import { Pencil, Trash2 } from 'lucide-react'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { IconButton } from '#app/ui/components/button.tsx'
import { useInDialog } from '#app/ui/components/dialog.tsx'
import { withQuery } from '#app/lib/url-state.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ShownPurchase } from '../purchases-loader.server.ts'
import { insideSentence } from '../format.ts'

/** A purchase as a line of its client's history, with what can be done with it. */
export function PurchaseRow({ purchase, className = '' }: { purchase: ShownPurchase; className?: string }) {
  const { productName, when, method, notes, amount, status } = purchase
  return (
    <li className={`flex items-center gap-3 ${className}`}>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{productName}</span>
        <span className="block truncate text-sm text-ink-3">
          {when}, {insideSentence(method)}
          {notes ? `, ${notes}` : ''}
        </span>
      </span>
      <span className="grid shrink-0 justify-items-end gap-0.5">
        <span className="num font-medium">{amount}</span>
        <StatusBadge status={status} />
      </span>
      <PurchaseDeeds purchase={purchase} />
    </li>
  )
}

/** Edit and delete. Deleting is one press, since it can be undone. */
export function PurchaseDeeds({
  purchase: { id, productName, when },
}: {
  purchase: Pick<ShownPurchase, 'id' | 'productName' | 'when'>
}) {
  const { pathname, search } = useLocation()
  const fetcher = useFetcher()
  const inDialog = useInDialog()
  const which = `the purchase of ${productName}, ${when}`
  return (
    <span className="flex shrink-0">
      <Link
        to={withQuery(pathname + search, { dialog: 'edit-purchase', purchase: String(id) })}
        replace={inDialog}
        preventScrollReset
        className="btn btn-ghost btn-sm btn-icon"
        aria-label={`Edit ${which}`}
      >
        <Pencil className="i" />
      </Link>
      <fetcher.Form method="post" action="/purchases" preventScrollReset>
        <input type="hidden" name="intent" value="delete" />
        <input type="hidden" name="id" value={id} />
        <IconButton
          type="submit"
          size="sm"
          label={`Delete ${which}`}
          icon={Trash2}
          disabled={fetcher.state !== 'idle'}
        />
      </fetcher.Form>
    </span>
  )
}
