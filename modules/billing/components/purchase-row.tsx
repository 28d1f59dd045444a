import { useLocation } from '@remix-run/react'
import { Pencil, Trash2 } from 'lucide-react'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { IconButton } from '#app/ui/components/button.tsx'
import { useInDialog } from '#app/ui/components/dialog.tsx'
import { withQuery } from '#app/lib/url.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { usePreloadedAction } from '#app/ui/navigation/preload-route.ts'
import type { PurchaseView } from '../purchases-loader.server.ts'
import { lowercaseMethod } from '../format.ts'
import { useFetcher } from '#app/ui/forms/use-fetcher.ts'

/** A row of a client's purchases. */
export function PurchaseRow({ purchase, className = '' }: { purchase: PurchaseView; className?: string }) {
  const { productName, date, method, notes, amount, status } = purchase
  return (
    <li className={`flex items-center gap-3 ${className}`}>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{productName}</span>
        <span className="block truncate text-sm text-ink-3">
          {date}, {lowercaseMethod(method)}
          {notes ? `, ${notes}` : ''}
        </span>
      </span>
      <span className="grid shrink-0 justify-items-end gap-0.5">
        <span className="num font-medium">{amount}</span>
        <StatusBadge status={status} />
      </span>
      <PurchaseActions purchase={purchase} />
    </li>
  )
}

/** Edit and delete. Deleting needs no confirmation because it can be undone. */
export function PurchaseActions({
  purchase: { id, productName, date },
}: {
  purchase: Pick<PurchaseView, 'id' | 'productName' | 'date'>
}) {
  const { pathname, search } = useLocation()
  const fetcher = useFetcher()
  const inDialog = useInDialog()
  const preloadedAction = usePreloadedAction('/purchases')
  const name = `the purchase of ${productName}, ${date}`
  return (
    <span className="flex shrink-0">
      <Link
        to={withQuery(pathname + search, { dialog: 'edit-purchase', purchase: String(id) })}
        replace={inDialog}
        preventScrollReset
        className="btn btn-ghost btn-sm btn-icon"
        aria-label={`Edit ${name}`}
      >
        <Pencil className="i" />
      </Link>
      <fetcher.Form method="post" {...preloadedAction} preventScrollReset>
        <input type="hidden" name="intent" value="delete" />
        <input type="hidden" name="id" value={id} />
        <IconButton
          type="submit"
          size="sm"
          label={`Delete ${name}`}
          icon={Trash2}
          disabled={fetcher.state !== 'idle'}
        />
      </fetcher.Form>
    </span>
  )
}
