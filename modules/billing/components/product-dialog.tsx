import { Form } from '@remix-run/react'
import { textOf } from '#app/lib/two-tabs.ts'
import { HistoryLink } from '#app/ui/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/dialog.tsx'
import { SelectField, TextAreaField, TextField } from '#app/ui/field.tsx'
import { useServerForm } from '#app/ui/form.ts'
import { RefusedForm, useTwoTabs, type Labels } from '#app/ui/two-tabs.tsx'
import { paymentTypeWords, frequencyWords } from '../words.ts'

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
type Name = 'name' | 'description' | 'price' | 'paymentType' | 'billingFrequency' | 'installmentCount' | 'isActive'
type Fields = Record<Name | 'version' | 'was', string>

const choicesOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))
const choices: Record<string, { value: string; label: string }[]> = {
  paymentType: choicesOf(paymentTypeWords),
  billingFrequency: choicesOf(frequencyWords),
  isActive: choicesOf({ active: 'Active', hidden: 'Hidden' }),
}
const labels = [
  ['name', 'Name'], ['description', 'Description'], ['price', 'Price'], ['paymentType', 'Payment type'],
  ['billingFrequency', 'Billing frequency'], ['installmentCount', 'Number of installments'], ['isActive', 'Shown'],
] as const satisfies Labels<keyof Fields>
const shown = (name: string, text: string) => choices[name]?.find(({ value }) => value === text)?.label ?? text

/** Adds a product, or edits `product`. */
export function ProductDialog({ product, closeTo }: { product?: Product; closeTo: string }) {
  const intent = product ? 'edit' : 'add'
  const current = { version: product?.version ?? 0, texts: textsOf(product) }
  const { form, fields, busy } = useServerForm<Fields>({ id: 'product', intent, values: current.texts })
  const tabs = useTwoTabs({ fields, refused: Boolean(product && form.errors?.length), labels, current, what: 'This product', shown })
  return (
    <Dialog title={product ? 'Edit Product' : 'Add New Product'} closeTo={closeTo}>
      <DialogBody>
        <Form method="post" id={form.id} className="group mt-1 grid gap-4" preventScrollReset onInput={tabs.onInput}>
          <input type="hidden" name="intent" value={intent} />
          {product && <input type="hidden" name="id" value={product.id} />}
          {product && tabs.inputs}
          <RefusedForm form={form} notice={tabs.notice} what="This product" />
          <TextField field={{ ...fields.name, required: true, maxLength: 255 }} label="Name" autoComplete="off" />
          <TextAreaField field={fields.description} label="Description" rows={3} />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField field={{ ...fields.price, required: true }} label="Price" hint="US dollars, such as 150.00" inputMode="decimal" autoComplete="off" />
            <SelectField field={fields.paymentType} label="Payment type" choices={choices.paymentType} />
          </div>
          {/* What the type doesn't have is out of sight, and left out by the server. In the name of a class an underscore is a blank. */}
          <div className="grid gap-4 group-has-[[value^=one]:checked]:hidden sm:grid-cols-2">
            <SelectField field={fields.billingFrequency} label="Billing frequency" choices={choices.billingFrequency} />
            <TextField
              field={fields.installmentCount}
              label="Number of installments"
              type="number"
              min={1}
              max={1000}
              fieldClass="group-has-[[value=recurring]:checked]:hidden"
            />
          </div>
          <SelectField
            field={fields.isActive}
            label="Shown"
            hint="A hidden product can't be chosen for a new purchase."
            choices={choices.isActive}
          />
          <DialogSubmit busy={busy} aside={product && <HistoryLink kind="product" id={product.id} />}>
            {product ? 'Save' : 'Add Product'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

/** What the fields hold; of what the payment type lacks, what it would begin with. */
function textsOf(product: Product | undefined): Record<Name, string> {
  return {
    name: product?.name ?? '',
    description: textOf(product?.description),
    price: product?.price ?? '',
    paymentType: product?.paymentType ?? 'one_time',
    billingFrequency: product?.billingFrequency ?? 'monthly',
    installmentCount: String(product?.installmentCount ?? 1),
    isActive: product?.isActive === false ? 'hidden' : 'active',
  }
}
