import type { Fields } from '#app/lib/fields.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, SelectField } from '#app/ui/forms/field.tsx'
import { PersonCombobox, type PersonGroup } from '#app/ui/forms/person-combobox.tsx'
import { PersonSearchForm } from '#app/ui/forms/person-search-form.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { subscriptionsUrl, type SubscriptionListState } from './list-state.ts'
import type { NewSubscriptionData } from './loader.server.ts'

const dialogFields = {
  clientId: { kind: 'reference', label: 'Client', to: 'client', required: 'Client is required' },
  productId: { kind: 'reference', label: 'Product', to: 'product', required: 'Product is required' },
} as const satisfies Fields

const toGroups = (clients: { id: number; name: string }[]): PersonGroup[] => [
  { label: 'Clients', choices: clients.map(({ id, name }) => ({ value: String(id), label: name })) },
]

async function searchClients(term: string, signal: AbortSignal): Promise<PersonGroup[]> {
  const response = await fetch(`/api/clients?${new URLSearchParams({ q: term, limit: '20' })}`, { signal })
  if (!response.ok) throw new Error(`Searching clients failed: ${response.status}`)
  return toGroups(await response.json())
}

/** Offers a product that is paid in installments or again and again to a client. */
export function NewSubscriptionDialog({
  state,
  clients,
  hasMore,
  clientSearch,
  clientId,
  products,
}: NewSubscriptionData & { state: SubscriptionListState }) {
  const url = subscriptionsUrl.href(state, { dialog: 'new', clientSearch })
  const { form, fields, busy, fetcher } = useFetcherForm(dialogFields, {
    id: 'new-subscription',
    intent: 'create',
    values: { clientId, productId: products.length === 1 ? products[0]!.value : '' },
  })
  const canSearch = hasMore || clientSearch !== ''
  return (
    <Dialog title="New Subscription" closeTo={subscriptionsUrl.href(state)}>
      <DialogBody>
        {products.length ? (
          <>
            {canSearch && <PersonSearchForm url={url} name="clientSearch" value={clientSearch} label="Find a client" />}
            <fetcher.Form method="post" action={url} {...form.props} className="mt-1 grid gap-4" preventScrollReset>
              <input type="hidden" name="intent" value="create" />
              <FormError id={form.errorId} errors={form.errors} />
              <PersonCombobox
                field={fields.clientId}
                placeholder={clients.length ? 'Choose a client' : 'No clients found'}
                groups={toGroups(clients)}
                search={canSearch ? searchClients : undefined}
              />
              <SelectField
                field={fields.productId}
                choices={products}
                hint="The price and the number of payments are the product’s."
              >
                <option value="">Choose a product</option>
              </SelectField>
              <DialogSubmit busy={busy}>Create Link</DialogSubmit>
            </fetcher.Form>
          </>
        ) : (
          <p className="text-ink-2">
            A subscription needs a product that is paid in installments or again and again.{' '}
            <Link className="link" to="/products?dialog=add">
              Add Product
            </Link>
          </p>
        )}
      </DialogBody>
    </Dialog>
  )
}
