import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { AddClientDialog } from '../components/add-client-dialog.tsx'
import { DeleteClientDialog } from '../components/delete-client-dialog.tsx'
import type { ListDialog } from '../clients-loader.server.ts'

/** The dialogs of the client list, which the browser loads when one opens. */
export default function ListDialogWidget({ data: { dialog, plan, closeTo } }: { data: ListDialog }) {
  if (dialog.kind === 'add')
    return <AddClientDialog closeTo={closeTo} timezones={dialog.timezones} products={dialog.products} plan={plan} />
  if (dialog.kind === 'not-found') return <NotFoundDialog label="Client" kind="client" closeTo={closeTo} />
  return <DeleteClientDialog client={dialog} closeTo={closeTo} />
}
