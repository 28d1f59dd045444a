import { useLocation } from '@remix-run/react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/dialog.tsx'
import { FormError, SelectField, TextField } from '#app/ui/field.tsx'
import { useFetcherForm } from '#app/ui/form.ts'
import { Link } from '#app/ui/link.tsx'
import type { SaleDialogData } from '../dialogs.ts'
import { withoutDialog } from '../list-state.ts'
import { NothingToSell, PurchaseFields, type PurchaseFieldNames } from './purchase-fields.tsx'

/** Records a purchase of whichever client is chosen in it, on whichever day. */
export function SaleDialog({ clients, products, today }: SaleDialogData) {
  const { pathname, search } = useLocation()
  const closeTo = withoutDialog(pathname + search)
  const { form, fields, busy, fetcher } = useFetcherForm<PurchaseFieldNames & { clientId: string; date: string }>({
    id: 'record-sale',
    intent: 'record',
    values: { status: 'completed', date: today },
  })
  return (
    <Dialog title="Record Purchase" closeTo={closeTo}>
      <DialogBody>
        {products.length === 0 ? (
          <NothingToSell />
        ) : clients.length === 0 ? (
          <p className="text-ink-3">
            A purchase belongs to a client.{' '}
            <Link className="link" to="/clients?dialog=add">
              Add your first client
            </Link>{' '}
            to record one.
          </p>
        ) : (
          <fetcher.Form method="post" action="/purchases?dialog=record" id={form.id} className="mt-1 grid gap-4" preventScrollReset>
            <input type="hidden" name="intent" value="record" />
            <FormError id={form.errorId} errors={form.errors} />
            <SelectField
              field={fields.clientId}
              label="Client"
              aria-required
              choices={[{ value: '', label: 'Choose a client' }, ...clients.map(({ id, name }) => ({ value: String(id), label: name }))]}
            />
            <PurchaseFields fields={fields} products={products} date={<TextField field={fields.date} label="Date" type="date" aria-required />} />
            <DialogSubmit busy={busy}>
              Record Purchase
            </DialogSubmit>
          </fetcher.Form>
        )}
      </DialogBody>
    </Dialog>
  )
}
