import { amountHint } from '#app/lib/currencies.ts'
import { useCurrency } from '#app/ui/components/currency.ts'
import { useLocation } from '@remix-run/react'
import type { Fields } from '#app/lib/fields.ts'
import { Button } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { PersonCombobox } from '#app/ui/forms/person-combobox.tsx'
import { PersonSearchForm } from '#app/ui/forms/person-search-form.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import { withQuery } from '#app/lib/url.ts'
import { withoutInvoice } from '../list-state.ts'
import type { CreateInvoiceData } from '../payments-loader.server.ts'
import { searchClients, toGroups } from '#app/ui/forms/client-choices.ts'
import { NoClients } from './purchase-fields.tsx'

const dialogFields = {
  clientId: { kind: 'reference', label: 'Client', to: 'client', required: 'Client is required' },
  amount: { kind: 'cents', label: 'Amount', required: 'Amount is required' },
  description: { kind: 'line', label: 'Description', required: 'Description is required' },
  dueDate: { kind: 'line', label: 'Due date', optional: true },
  notes: { kind: 'text', label: 'Notes for the client', optional: true },
} as const satisfies Fields

/** An invoice with one line. Source: part-2 §2 and §5. */
export function CreateInvoiceDialog({
  clients,
  hasMore,
  clientSearch,
  clientId,
  paymentDays,
  defaultNotes,
}: CreateInvoiceData) {
  const currency = useCurrency()
  const { pathname, search } = useLocation()
  const url = pathname + search
  const { form, fields, busy, fetcher } = useFetcherForm(dialogFields, {
    id: 'create-invoice',
    intent: 'create',
    values: { clientId, notes: defaultNotes ?? '' },
  })
  return (
    <Dialog title="Create Invoice" closeTo={withQuery(url, withoutInvoice)}>
      <DialogBody>
        {clients.length || clientSearch ? (
          <>
            {(hasMore || clientSearch) && (
              <PersonSearchForm url={url} name="clientSearch" value={clientSearch} label="Find a client" />
            )}
            <fetcher.Form method="post" action={url} {...form.props} className="mt-1 grid gap-4" preventScrollReset>
              <input type="hidden" name="intent" value="create" />
              <FormError id={form.errorId} errors={form.errors} />
              <PersonCombobox
                field={fields.clientId}
                placeholder={clients.length ? 'Choose a client' : 'No clients found'}
                groups={toGroups(clients)}
                search={hasMore || clientSearch ? searchClients : undefined}
              />
              <TextField field={fields.description} />
              <div className="grid gap-4 sm:grid-cols-2">
                <TextField field={fields.amount} hint={amountHint(currency)} inputMode="decimal" autoComplete="off" />
                <TextField
                  field={fields.dueDate}
                  type="date"
                  hint={`By default in ${paymentDays} ${paymentDays === 1 ? 'day' : 'days'}.`}
                />
              </div>
              <TextAreaField field={fields.notes} rows={2} />
              <DialogSubmit
                busy={busy}
                aside={
                  <Button type="submit" name="draft" value="yes" variant="ghost" disabled={busy}>
                    Save as Draft
                  </Button>
                }
              >
                Create Invoice
              </DialogSubmit>
            </fetcher.Form>
          </>
        ) : (
          <NoClients />
        )}
      </DialogBody>
    </Dialog>
  )
}
