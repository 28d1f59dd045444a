import { amountHint } from '#app/lib/currencies.ts'
import { useCurrency } from '#app/ui/components/currency.ts'
import type { Fields } from '#app/lib/fields.ts'
import { SelectField, TextAreaField, TextField, type Choice } from '#app/ui/forms/field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { FormField } from '#app/ui/forms/use-server-form.ts'
import { purchaseFields } from '../fields.ts'
import { formatPrice, newMethodChoices, newStatusChoices } from '../format.ts'
import { usePrefillPrice } from './use-prefill-price.ts'

export type ProductForSale = { id: number; name: string; price: string }

const { productId, amount, paymentMethod, status, notes } = purchaseFields
export const newPurchaseFields = {
  productId,
  amount,
  date: { kind: 'line', label: 'Date' },
  paymentMethod,
  status,
  notes,
} as const satisfies Fields

/** The fields of every form for a new purchase. `initialAmount`: before a product is chosen. */
export function PurchaseFields({
  fields,
  products,
  initialAmount,
}: {
  fields: { [N in keyof typeof newPurchaseFields]: FormField }
  products: ProductForSale[]
  initialAmount: string
}) {
  const currency = useCurrency()
  const prefillPrice = usePrefillPrice(products, currency, initialAmount)
  return (
    <>
      <SelectField field={fields.productId} choices={toProductChoices(products, currency)} onChange={prefillPrice} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField field={fields.amount} hint={amountHint(currency)} inputMode="decimal" autoComplete="off" />
        <TextField field={fields.date} type="date" aria-required />
        <SelectField
          field={fields.paymentMethod}
          choices={[{ value: '', label: 'Choose a method' }, ...newMethodChoices]}
        />
        <SelectField field={fields.status} choices={newStatusChoices} />
      </div>
      <TextAreaField field={fields.notes} rows={2} />
    </>
  )
}

export const toProductChoices = (products: ProductForSale[], currency: string): Choice[] => [
  { value: '', label: 'Choose a product' },
  ...products.map(({ id, name, price }) => ({ value: String(id), label: `${name}, ${formatPrice(price, currency)}` })),
]

/** Shown instead of the form while there are no active products. */
export const NoProducts = () => <AddFirst to="/products?dialog=add">Add a product</AddFirst>

/** Shown instead of the form while there are no clients. */
export const NoClients = () => <AddFirst to="/clients?dialog=add">Add a client</AddFirst>

function AddFirst({ to, children }: { to: string; children: string }) {
  return (
    <p className="text-ink-3">
      <Link className="link" to={to}>
        {children}
      </Link>{' '}
      first.
    </p>
  )
}
