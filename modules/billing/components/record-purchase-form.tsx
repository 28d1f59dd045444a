import { Form, Link } from '@remix-run/react'
import { useRef, type ChangeEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { FormError, SelectField, TextAreaField, TextField } from '#app/ui/field.tsx'
import { useServerForm } from '#app/ui/form.ts'
import { methodChoices, priceWords, statusChoices } from '../words.ts'

type Fields = { productId: string; amount: string; paymentMethod: string; status: string; notes: string }

/** Choosing a product fills in its price, as long as no other amount was typed. */
export function RecordPurchaseForm({ products }: { products: { id: number; name: string; price: string }[] }) {
  const { form, fields, busy } = useServerForm<Fields>({ id: 'record-purchase', intent: 'record', values: { status: 'completed' } })
  const filledIn = useRef('')
  const fillIn = (event: ChangeEvent<HTMLSelectElement>) => {
    const amount = event.target.form?.elements.namedItem('amount')
    const price = products.find(({ id }) => String(id) === event.target.value)?.price ?? ''
    if (!(amount instanceof HTMLInputElement) || (amount.value !== '' && amount.value !== filledIn.current)) return
    amount.value = filledIn.current = price
  }
  if (!products.length) {
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
  return (
    <Form method="post" id={form.id} className="grid gap-4" preventScrollReset>
      <input type="hidden" name="intent" value="record" />
      <FormError id={form.errorId} errors={form.errors} />
      <SelectField
        field={{ ...fields.productId, required: true }}
        label="Product"
        choices={[{ value: '', label: 'Choose a product' }, ...products.map(({ id, name, price }) => ({ value: String(id), label: `${name}, ${priceWords(price)}` }))]}
        onChange={fillIn}
      />
      <TextField field={{ ...fields.amount, required: true }} label="Amount" hint="US dollars, such as 150.00" inputMode="decimal" autoComplete="off" />
      <SelectField field={{ ...fields.paymentMethod, required: true }} label="Payment method" choices={[{ value: '', label: 'Choose a method' }, ...methodChoices]} />
      <SelectField field={fields.status} label="Status" choices={statusChoices} />
      <TextAreaField field={fields.notes} label="Notes" rows={3} />
      <div className="mt-2 flex justify-end">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          Record Purchase
        </Button>
      </div>
    </Form>
  )
}
