import { Link, useFetcher, useLocation } from '@remix-run/react'
import { useState } from 'react'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '#app/ui/dialog.tsx'
import { FormError, SelectField, TextAreaField, TextField } from '#app/ui/field.tsx'
import { useFetcherForm } from '#app/ui/form.ts'
import { SavedMeanwhile, type Differing } from '#app/ui/saved-meanwhile.tsx'
import type { EditDialog } from '../dialogs.ts'
import { withoutDialog } from '../list-state.ts'
import { methodChoices, statusChoices } from '../words.ts'
import { differencesOf } from './differences.ts'

type Fields = { status: string; paymentMethod: string; date: string; notes: string; version: string }
const labels = { status: 'Status', paymentMethod: 'Payment method', date: 'Date', notes: 'Notes' }
const choices = { status: statusChoices, paymentMethod: methodChoices }

/** Changes how a purchase went: its status, method, date and notes. What was sold and for how much stays in the books. */
export function EditPurchaseDialog({ purchase, clientName }: EditDialog) {
  const { pathname, search } = useLocation()
  const closeTo = withoutDialog(pathname + search)
  const saved = { status: purchase.status, paymentMethod: purchase.paymentMethod, date: purchase.date, notes: purchase.notes ?? '' }
  const { form, fields, busy, fetcher } = useFetcherForm<Fields>({ id: 'edit-purchase', intent: 'edit', values: { ...saved, version: String(purchase.version) } })
  const deletion = useFetcher()
  const [opened] = useState(purchase.version)
  // Only what this form was told about may be overwritten by it.
  const told = form.errors?.length && Number(fields.version.initialValue) !== purchase.version
  const differing: Differing[] = told ? differencesOf(labels, fields, saved, choices) : []
  return (
    <Dialog title="Edit Purchase" closeTo={closeTo}>
      <DialogBody>
        <p className="mb-4 mt-1 flex justify-between gap-4 rounded-md bg-sunken px-4 py-2.5">
          <span className="min-w-0">
            <span className="line-clamp-2 font-semibold wrap-anywhere">{purchase.productName}</span>
            {clientName && <span className="block truncate text-sm text-ink-3">{clientName}</span>}
          </span>
          <span className="num shrink-0 font-medium">{purchase.amount}</span>
        </p>
        <fetcher.Form method="post" action={`/purchases?dialog=edit-purchase&purchase=${purchase.id}`} id={form.id} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="edit" />
          <input type="hidden" name="id" value={purchase.id} />
          <input type="hidden" name="version" value={told ? purchase.version : opened} />
          {told ? <SavedMeanwhile what="purchase" differing={differing} /> : <FormError id={form.errorId} errors={form.errors} />}
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField field={fields.status} label="Status" hint="Only completed ones count as revenue." choices={statusChoices} />
            <SelectField field={fields.paymentMethod} label="Payment method" choices={methodChoices} />
          </div>
          <TextField field={fields.date} label="Date" type="date" aria-required fieldClass="sm:w-1/2 sm:pr-2" />
          <TextAreaField field={fields.notes} label="Notes" rows={3} />
          <DialogActions>
            <span className="mr-auto flex">
              <Button type="submit" form="delete-purchase" variant="danger-ghost" busy={deletion.state !== 'idle'}>
                Delete
              </Button>
              <ButtonLink to={`/history/purchase/${purchase.id}`} variant="ghost">
                History
              </ButtonLink>
            </span>
            <Link to={closeTo} preventScrollReset className="btn btn-secondary">
              Cancel
            </Link>
            <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
              Save
            </Button>
          </DialogActions>
        </fetcher.Form>
        <deletion.Form method="post" action="/purchases" id="delete-purchase" preventScrollReset>
          <input type="hidden" name="intent" value="delete" />
          <input type="hidden" name="id" value={purchase.id} />
        </deletion.Form>
      </DialogBody>
    </Dialog>
  )
}
