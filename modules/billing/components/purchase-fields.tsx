import type { ReactNode } from 'react'
import { SelectField, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { FormField } from '#app/ui/forms/use-server-form.ts'
import { purchaseFields } from '../fields.ts'
import { newMethodChoices, newStatusChoices, priceWords } from '../format.ts'
import { useFillIn } from './use-prefill-price.ts'

export type ProductForSale = { id: number; name: string; price: string }

const { productId, amount, paymentMethod, status, notes } = purchaseFields
/** The fields of a form for a new purchase. */
export const newPurchaseFields = { productId, amount, paymentMethod, status, notes }

/** What every form for a new purchase asks. Choosing a product fills in its price, as long as no other amount was typed. */
export function PurchaseFields({
  fields,
  products,
  date,
}: {
  fields: { [N in keyof typeof newPurchaseFields]: FormField }
  products: ProductForSale[]
  date?: ReactNode
}) {
  const fillIn = useFillIn(products)
  return (
    <>
      <SelectField
        field={fields.productId}
        aria-required
        choices={[
          { value: '', label: 'Choose a product' },
          ...products.map(({ id, name, price }) => ({ value: String(id), label: `${name}, ${priceWords(price)}` })),
        ]}
        onChange={fillIn}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          field={fields.amount}
          aria-required
          hint="US dollars, such as 150.00"
          inputMode="decimal"
          autoComplete="off"
        />
        {date}
        <SelectField
          field={fields.paymentMethod}
          aria-required
          choices={[{ value: '', label: 'Choose a method' }, ...newMethodChoices]}
        />
        <SelectField field={fields.status} aria-required choices={newStatusChoices} />
      </div>
      <TextAreaField field={fields.notes} rows={2} />
    </>
  )
}

/** Stands in place of the form as long as there is nothing to sell. */
export function NothingToSell() {
  return (
    <p className="text-ink-3">
      A purchase is of a product.{' '}
      <Link className="link" to="/products?dialog=add">
        Add your first product
      </Link>{' '}
      to record one.
    </p>
  )
}
