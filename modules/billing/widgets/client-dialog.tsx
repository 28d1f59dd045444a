import { useLocation } from '@remix-run/react'
import { withQuery } from '#app/lib/url.ts'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import type { ClientDialogData } from '../contributions.ts'
import { EditPurchaseDialog } from '../components/edit-purchase-dialog.tsx'
import { ClientPurchaseDialog } from '../components/client-purchase-dialog.tsx'
import { withoutDialog } from '../list-state.ts'

export default function ClientDialogWidget({ data }: { data: NonNullable<ClientDialogData> }) {
  const { pathname, search } = useLocation()
  if (data.kind === 'record') return <ClientPurchaseDialog {...data.dialog} />
  return data.dialog ? (
    <EditPurchaseDialog key={data.dialog.purchase.id} {...data.dialog} />
  ) : (
    <NotFoundDialog label="Purchase" kind="purchase" closeTo={withQuery(pathname + search, withoutDialog)} />
  )
}
