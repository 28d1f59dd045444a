import { useLocation } from '@remix-run/react'
import { withQuery } from '#app/lib/url-state.ts'
import { GoneDialog } from '#app/ui/components/not-found-dialog.tsx'
import type { ClientDialog } from '../contributions.ts'
import { EditPurchaseDialog } from '../components/edit-purchase-dialog.tsx'
import { RecordPurchaseDialog } from '../components/client-purchase-dialog.tsx'
import { closed } from '../list-state.ts'

/** The dialogs of purchases, over a page of clients. */
export default function PurchaseDialogOfClient({ data }: { data: NonNullable<ClientDialog> }) {
  const { pathname, search } = useLocation()
  if (data.kind === 'record') return <RecordPurchaseDialog {...data.dialog} />
  return data.dialog ? (
    <EditPurchaseDialog key={data.dialog.purchase.id} {...data.dialog} />
  ) : (
    <GoneDialog what="Purchase" kind="purchase" closeTo={withQuery(pathname + search, closed)} />
  )
}
