import { useFetcher, useLocation } from '@remix-run/react'
import { textOf } from '#app/lib/two-tabs.ts'
import { Button, HistoryLink } from '#app/ui/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/dialog.tsx'
import { SelectField, TextAreaField, TextField } from '#app/ui/field.tsx'
import { useFetcherForm } from '#app/ui/form.ts'
import { RefusedForm, useTwoTabs, type Labels } from '#app/ui/two-tabs.tsx'
import type { EditDialog } from '../dialogs.ts'
import { withoutDialog } from '../list-state.ts'
import { methodChoices, statusChoices } from '../words.ts'

type Fields = Record<'status' | 'paymentMethod' | 'date' | 'notes' | 'version' | 'was', string>
const labels = [['status', 'Status'], ['paymentMethod', 'Payment method'], ['date', 'Date'], ['notes', 'Notes']] as const satisfies Labels<keyof Fields>
const shown = (name: string, text: string) =>
  (name === 'status' ? statusChoices : name === 'paymentMethod' ? methodChoices : []).find(({ value }) => value === text)?.label ?? text

/** Changes how a purchase went: its status, method, date and notes. What was sold and for how much stays in the books. */
export function EditPurchaseDialog({ purchase, clientName }: EditDialog) {
  const { pathname, search } = useLocation()
  const closeTo = withoutDialog(pathname + search)
  const { status, paymentMethod, date } = purchase
  const current = { version: purchase.version, texts: { status, paymentMethod, date, notes: textOf(purchase.notes) } }
  const { form, fields, busy, fetcher } = useFetcherForm<Fields>({ id: 'edit-purchase', intent: 'edit', values: current.texts })
  const deletion = useFetcher()
  const tabs = useTwoTabs({ fields, refused: Boolean(form.errors?.length), labels, current, what: 'This purchase', shown })
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
        <fetcher.Form method="post" action={`/purchases?dialog=edit-purchase&purchase=${purchase.id}`} id={form.id} className="grid gap-4" preventScrollReset onInput={tabs.onInput}>
          <input type="hidden" name="intent" value="edit" />
          <input type="hidden" name="id" value={purchase.id} />
          {tabs.inputs}
          <RefusedForm form={form} notice={tabs.notice} what="This purchase" />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField field={fields.status} label="Status" hint="Only completed ones count as revenue." choices={statusChoices} />
            <SelectField field={fields.paymentMethod} label="Payment method" choices={methodChoices} />
          </div>
          <TextField field={fields.date} label="Date" type="date" aria-required fieldClass="sm:w-1/2 sm:pr-2" />
          <TextAreaField field={fields.notes} label="Notes" rows={3} />
          <DialogSubmit
            busy={busy}
            aside={
              <>
                <Button type="submit" form="delete-purchase" variant="danger-ghost" busy={deletion.state !== 'idle'}>
                  Delete
                </Button>
                <HistoryLink kind="purchase" id={purchase.id} />
              </>
            }
          >
            Save
          </DialogSubmit>
        </fetcher.Form>
        <deletion.Form method="post" action="/purchases" id="delete-purchase" preventScrollReset>
          <input type="hidden" name="intent" value="delete" />
          <input type="hidden" name="id" value={purchase.id} />
        </deletion.Form>
      </DialogBody>
    </Dialog>
  )
}
