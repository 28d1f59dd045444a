import { useLocation } from '@remix-run/react'
import type { Fields } from '#app/lib/fields.ts'
import { withQuery } from '#app/lib/url.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { PersonCombobox } from '#app/ui/forms/person-combobox.tsx'
import { PersonSearchForm } from '#app/ui/forms/person-search-form.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import type { NewPurchaseDialogData } from '../purchases-loader.server.ts'
import { purchaseFields } from '../fields.ts'
import { purchasesUrl, withoutDialog } from '../list-state.ts'
import { searchClients, toGroups } from '#app/ui/forms/client-choices.ts'
import { newPurchaseFields, NoClients, NoProducts, PurchaseFields } from './purchase-fields.tsx'

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
        {(hasMore || clientSearch) && (
          <PersonSearchForm url={pathname + search} name="clientSearch" value={clientSearch} label="Find a client" />
        )}
        <fetcher.Form
          method="post"
          action={purchasesUrl.href({ dialog: 'record', clientSearch })}
          {...form.props}
          className="mt-1 grid gap-4"
          preventScrollReset
        >
          <input type="hidden" name="intent" value="record" />
          <FormError id={form.errorId} errors={form.errors} />
          <PersonCombobox
            field={fields.clientId}
            placeholder={clients.length ? 'Choose a client' : 'No clients found'}
            groups={toGroups(clients)}
            search={hasMore || clientSearch ? searchClients : undefined}
          />
          <PurchaseFields fields={fields} products={products} initialAmount={defaults.amount} />
          <DialogSubmit busy={busy}>Record Purchase</DialogSubmit>
        </fetcher.Form>
      </DialogBody>
    </Dialog>
  )
}
