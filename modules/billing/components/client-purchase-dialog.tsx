import { useLocation } from '@remix-run/react'
import { withQuery } from '#app/lib/url.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { usePreloadedAction } from '#app/ui/navigation/preload-route.ts'
import type { ClientPurchaseDialogData } from '../purchases-loader.server.ts'
import { withoutDialog } from '../list-state.ts'
import { newPurchaseFields, NoProducts, PurchaseFields } from './purchase-fields.tsx'
import { PurchaseRow } from './purchase-row.tsx'

/** Records a purchase of one client. Opens over any page and shows the client's latest purchases. */
export function ClientPurchaseDialog({ client, products, defaults, purchases, totals }: ClientPurchaseDialogData) {
  const { pathname, search } = useLocation()
  const closeTo = withQuery(pathname + search, withoutDialog)
  const { form, fields, busy, fetcher } = useFetcherForm(newPurchaseFields, {
    id: 'record-purchase',
    intent: 'record',
    values: defaults,
  })
  const preloadedAction = usePreloadedAction(`/clients/${client.id}/purchases`)
  return (
    <Dialog
      title={
        <>
          Record Purchase<span className="block truncate font-sans text-sm text-ink-3">{client.name}</span>
        </>
      }
      closeTo={closeTo}
    >
      <DialogBody>
        <section aria-labelledby="purchase-history" className="mb-5 mt-1 overflow-hidden rounded-md border border-line">
          <h3
            id="purchase-history"
            className="flex flex-wrap justify-between gap-x-3 border-b border-line-soft px-4 py-2 text-sm font-semibold"
          >
            Purchase History
            <span className="num font-normal text-ink-3">
              Total {totals.total}
              {totals.completed !== null && `, ${totals.completed} completed`}
            </span>
          </h3>
          {purchases.length ? (
            <ul aria-label="Purchases" className="rows h-48 overflow-y-auto overscroll-contain" tabIndex={0}>
              {purchases.map((purchase) => (
                <PurchaseRow key={purchase.id} purchase={purchase} className="py-1.5 pl-4 pr-2" />
              ))}
            </ul>
          ) : (
            <p className="px-4 py-3 text-ink-3">No purchases yet.</p>
          )}
          {totals.count > purchases.length && (
            <p className="border-t border-line-soft px-4 py-2 text-sm">
              <Link to={`/clients/${client.id}/purchases`} className="link">
                All {totals.count.toLocaleString('en-US')} purchases
              </Link>
            </p>
          )}
        </section>
        {products.length ? (
          <fetcher.Form
            method="post"
            {...preloadedAction}
            action={`/clients/${client.id}/purchases?dialog=purchase`}
            {...form.props}
            className="grid gap-4"
            preventScrollReset
          >
            <input type="hidden" name="intent" value="record" />
            <FormError id={form.errorId} errors={form.errors} />
            <PurchaseFields fields={fields} products={products} initialAmount={defaults.amount} />
            <DialogSubmit busy={busy}>Record Purchase</DialogSubmit>
          </fetcher.Form>
        ) : (
          <NoProducts />
        )}
      </DialogBody>
    </Dialog>
  )
}
