import { useLocation } from '@remix-run/react'
import type { Fields } from '#app/lib/fields.ts'
import { withQuery } from '#app/lib/url-state.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { SaleDialogData } from '../purchases-loader.server.ts'
import { purchaseFields } from '../fields.ts'
import { closed } from '../list-state.ts'
import { newPurchaseFields, NothingToSell, PurchaseFields } from './purchase-fields.tsx'

const saleFields = {
  ...newPurchaseFields,
  clientId: purchaseFields.clientId,
  date: { kind: 'line', label: 'Date' },
} as const satisfies Fields

/** Records a purchase of whichever client is chosen in it, on whichever day. */
export function SaleDialog({ clients, more, who, products, today }: SaleDialogData) {
  const { pathname, search } = useLocation()
  const closeTo = withQuery(pathname + search, closed)
  const { form, fields, busy, fetcher } = useFetcherForm(saleFields, {
    id: 'record-sale',
    intent: 'record',
    values: { status: 'completed', date: today },
  })
  return (
    <Dialog title="Record Purchase" closeTo={closeTo}>
      <DialogBody>
        {products.length === 0 ? (
          <NothingToSell />
        ) : clients.length === 0 && !who ? (
          <p className="text-ink-3">
            A purchase belongs to a client.{' '}
            <Link className="link" to="/clients?dialog=add">
              Add your first client
            </Link>{' '}
            to record one.
          </p>
        ) : (
          <>
            {(more || who) && (
              <FilterForm action={pathname} values={{ who }} className="mb-4 mt-1">
                {[...new URLSearchParams(search)]
                  .filter(([name]) => name !== 'who')
                  .map(([name, value]) => (
                    <input key={name} type="hidden" name={name} value={value} />
                  ))}
                <SearchField
                  name="who"
                  label="Find a client"
                  placeholder="Find a client by name or email"
                  value={who}
                />
              </FilterForm>
            )}
            <fetcher.Form
              method="post"
              action={`/purchases?${new URLSearchParams({ dialog: 'record', ...(who ? { who } : {}) })}`}
              {...form.props}
              className="mt-1 grid gap-4"
              preventScrollReset
            >
              <input type="hidden" name="intent" value="record" />
              <FormError id={form.errorId} errors={form.errors} />
              <SelectField
                field={fields.clientId}
                aria-required
                hint={more && `The first ${clients.length}. Find the others by their name.`}
                choices={clients.map(({ id, name }) => ({ value: String(id), label: name }))}
              >
                {/* Who was looked for and found alone is meant. */}
                {(clients.length !== 1 || !who) && (
                  <option value="">{clients.length ? 'Choose a client' : 'Nobody found'}</option>
                )}
              </SelectField>
              <PurchaseFields
                fields={fields}
                products={products}
                date={<TextField field={fields.date} type="date" aria-required />}
              />
              <DialogSubmit busy={busy}>Record Purchase</DialogSubmit>
            </fetcher.Form>
          </>
        )}
      </DialogBody>
    </Dialog>
  )
}
