import type { ClientDialog } from '../contributions.ts'
import { EditPurchaseDialog } from '../components/edit-purchase-dialog.tsx'
import { GoneDialog } from '../components/gone-dialog.tsx'
import { RecordPurchaseDialog } from '../components/record-purchase-dialog.tsx'

/** The dialogs of purchases, over a page of clients. */
export default function PurchaseDialogOfClient({ data }: { data: NonNullable<ClientDialog> }) {
  if (data.kind === 'record') return <RecordPurchaseDialog {...data.dialog} />
  return data.dialog ? <EditPurchaseDialog key={data.dialog.purchase.id} {...data.dialog} /> : <GoneDialog what="Purchase" />
}
