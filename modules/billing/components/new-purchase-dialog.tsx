import { useLocation } from '@remix-run/react'
import type { Fields } from '#app/lib/fields.ts'
import { withQuery } from '#app/lib/url.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, SelectField } from '#app/ui/forms/field.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { NewPurchaseDialogData } from '../purchases-loader.server.ts'
import { purchaseFields } from '../fields.ts'
import { purchasesUrl, withoutDialog } from '../list-state.ts'
import { newPurchaseFields, NoProducts, PurchaseFields } from './purchase-fields.tsx'

const dialogFields = { ...newPurchaseFields, clientId: purchaseFields.clientId } as const satisfies Fields

/** Records a purchase of any client. */
export function NewPurchaseDialog({ clients, hasMore, clientSearch, products, defaults }: NewPurchaseDialogData) {
  const { pathname, search } = useLocation()
  const closeTo = withQuery(pathname + search, withoutDialog)
  const { form, fields, busy, fetcher } = useFetcherForm(dialogFields, {
    id: 'new-purchase',
    intent: 'record',
    values: defaults,
  })
  if (!products.length || (!clients.length && !clientSearch))
    return (
      <Dialog title="Record Purchase" closeTo={closeTo}>
        <DialogBody>{products.length ? <NoClients /> : <NoProducts />}</DialogBody>
      </Dialog>
    )
  return (
    <Dialog title="Record Purchase" closeTo={closeTo}>
      <DialogBody>
        {(hasMore || clientSearch) && <ClientSearch value={clientSearch} />}
        <fetcher.Form
          method="post"
          action={purchasesUrl.href({ dialog: 'record', clientSearch })}
          {...form.props}
          className="mt-1 grid gap-4"
          preventScrollReset
        >
          <input type="hidden" name="intent" value="record" />
          <FormError id={form.errorId} errors={form.errors} />
          <SelectField
            field={fields.clientId}
            hint={hasMore && `Showing the first ${clients.length}. Search to find more.`}
            choices={clients.map(({ id, name }) => ({ value: String(id), label: name }))}
          >
            {/* A search with one result selects it. */}
            {(clients.length !== 1 || !clientSearch) && (
              <option value="">{clients.length ? 'Choose a client' : 'No clients found'}</option>
            )}
          </SelectField>
          <PurchaseFields fields={fields} products={products} initialAmount={defaults.amount} />
          <DialogSubmit busy={busy}>Record Purchase</DialogSubmit>
        </fetcher.Form>
      </DialogBody>
    </Dialog>
  )
}

function ClientSearch({ value }: { value: string }) {
  const { pathname, search } = useLocation()
  const otherParams = [...new URLSearchParams(search)].filter(([name]) => name !== 'clientSearch')
  return (
    <FilterForm action={pathname} values={{ clientSearch: value }} className="mb-4 mt-1">
      {otherParams.map(([name, text]) => (
        <input key={name} type="hidden" name={name} value={text} />
      ))}
      <SearchField
        name="clientSearch"
        label="Find a client"
        placeholder="Find a client by name or email"
        value={value}
      />
    </FilterForm>
  )
}

function NoClients() {
  return (
    <p className="text-ink-3">
      <Link className="link" to="/clients?dialog=add">
        Add a client
      </Link>{' '}
      first.
    </p>
  )
}
