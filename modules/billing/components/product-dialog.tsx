import { Form, Link } from '@remix-run/react'
import { useState } from 'react'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '#app/ui/dialog.tsx'
import { FormError, SelectField, TextAreaField, TextField } from '#app/ui/field.tsx'
import { useServerForm } from '#app/ui/form.ts'
import { SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'
import { paymentTypeWords, frequencyWords } from '../words.ts'
import { differencesOf } from './differences.ts'

type Product = {
  id: number
  name: string
  description: string | null
  price: string
  paymentType: keyof typeof paymentTypeWords
  billingFrequency: keyof typeof frequencyWords | null
  installmentCount: number | null
  isActive: boolean
  version: number
}
type Fields = { name: string; description: string; price: string; paymentType: string; billingFrequency: string; installmentCount: string; isActive: string }

const choicesOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))
const choices = { paymentType: choicesOf(paymentTypeWords), billingFrequency: choicesOf(frequencyWords), isActive: choicesOf({ active: 'Active', hidden: 'Hidden' }) }
const labels: Record<keyof Fields, string> = {
  name: 'Name',
  description: 'Description',
  price: 'Price',
  paymentType: 'Payment type',
  billingFrequency: 'Billing frequency',
  installmentCount: 'Number of installments',
  isActive: 'Shown',
}

/** Adds a product, or edits `product`. */
export function ProductDialog({ product, closeTo }: { product?: Product; closeTo: string }) {
  const intent = product ? 'edit' : 'add'
  const saved = textsOf(product)
  const { form, fields, busy } = useServerForm<Fields & { version: string }>({ id: 'product', intent, values: { ...saved, version: String(product?.version) } })
  const [opened] = useState(product?.version)
  // Only what this form was told about may be overwritten by it.
  const told = product && form.errors?.length && Number(fields.version.initialValue) !== product.version
  const [type, setType] = useState(String(fields.paymentType.initialValue))
  return (
    <Dialog title={product ? 'Edit Product' : 'Add New Product'} closeTo={closeTo}>
      <DialogBody>
        <Form method="post" id={form.id} className="mt-1 grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value={intent} />
          {product && <input type="hidden" name="id" value={product.id} />}
          {product && <input type="hidden" name="version" value={told ? product.version : opened} />}
          {told ? <SavedMeanwhile what="product" differing={differencesOf(labels, fields, saved, choices)} /> : <FormError id={form.errorId} errors={form.errors} />}
          <TextField field={{ ...fields.name, required: true, maxLength: 255 }} label="Name" autoComplete="off" />
          <TextAreaField field={fields.description} label="Description" rows={3} />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField field={{ ...fields.price, required: true }} label="Price" hint="US dollars, such as 150.00" inputMode="decimal" autoComplete="off" />
            <SelectField field={fields.paymentType} label="Payment type" choices={choices.paymentType} onChange={(event) => setType(event.target.value)} />
          </div>
          {/* Before scripts have loaded both are there, and what the type doesn't have is left out by the server. */}
          {type !== 'one_time' && (
            <div className="grid gap-4 sm:grid-cols-2">
              <SelectField field={fields.billingFrequency} label="Billing frequency" choices={choices.billingFrequency} />
              {type === 'installment' && <TextField field={fields.installmentCount} label="Number of installments" type="number" min={1} max={1000} />}
            </div>
          )}
          <SelectField
            field={fields.isActive}
            label="Shown"
            hint="A hidden product can't be chosen for a new purchase."
            choices={choices.isActive}
          />
          <DialogActions>
            {product && (
              <ButtonLink to={`/history/product/${product.id}`} variant="ghost" className="mr-auto">
                History
              </ButtonLink>
            )}
            <Link to={closeTo} preventScrollReset className="btn btn-secondary">
              Cancel
            </Link>
            <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
              {product ? 'Save' : 'Add Product'}
            </Button>
          </DialogActions>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

/** What the fields hold; of what the payment type lacks, what it would begin with. */
function textsOf(product: Product | undefined): Record<keyof Fields, string> {
  return {
    name: product?.name ?? '',
    description: product?.description ?? '',
    price: product?.price ?? '',
    paymentType: product?.paymentType ?? 'one_time',
    billingFrequency: product?.billingFrequency ?? 'monthly',
    installmentCount: String(product?.installmentCount ?? 1),
    isActive: product?.isActive === false ? 'hidden' : 'active',
  }
}
