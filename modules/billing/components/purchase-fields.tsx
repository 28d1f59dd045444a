import type { ReactNode } from 'react'
import { SelectField, TextAreaField, TextField, type FieldLike } from '#app/ui/field.tsx'
import { Link } from '#app/ui/link.tsx'
import { newMethodChoices, newStatusChoices, priceWords } from '../words.ts'
import { useFillIn } from './use-fill-in.ts'

export type ProductForSale = { id: number; name: string; price: string }
export type PurchaseFieldNames = { productId: string; amount: string; paymentMethod: string; status: string; notes: string }

/** What every form for a new purchase asks. Choosing a product fills in its price, as long as no other amount was typed. */
export function PurchaseFields({ fields, products, date }: { fields: { [Name in keyof PurchaseFieldNames]: FieldLike }; products: ProductForSale[]; date?: ReactNode }) {
  const fillIn = useFillIn(products)
  return (
    <>
      <SelectField
        field={fields.productId}
        label="Product"
        aria-required
        choices={[{ value: '', label: 'Choose a product' }, ...products.map(({ id, name, price }) => ({ value: String(id), label: `${name}, ${priceWords(price)}` }))]}
        onChange={fillIn}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField field={fields.amount} label="Amount" aria-required hint="US dollars, such as 150.00" inputMode="decimal" autoComplete="off" />
        {date}
        <SelectField field={fields.paymentMethod} label="Payment method" aria-required choices={[{ value: '', label: 'Choose a method' }, ...newMethodChoices]} />
        <SelectField field={fields.status} label="Status" aria-required choices={newStatusChoices} />
      </div>
      <TextAreaField field={fields.notes} label="Notes" rows={2} />
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
