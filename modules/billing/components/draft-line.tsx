import { X } from 'lucide-react'
import { memo } from 'react'
import { IconButton } from '#app/ui/components/button.tsx'
import { controlProps, FieldNote } from '#app/ui/forms/field.tsx'
import { lineName, type LineTexts } from '../invoices/line-form.ts'

export type LineErrors = {
  descriptionError: string | undefined
  quantityError: string | undefined
  priceError: string | undefined
  taxError: string | undefined
}

type Props = LineErrors & {
  row: number
  position: number
  /** The texts it starts with. */
  texts: LineTexts
  amount: string
  /** Null without JavaScript: a line without description and price is left out. */
  onRemove: ((row: number) => void) | null
}

/** A line of the editor. On a phone, each field has its label. */
export const DraftLine = memo(function DraftLine({ row, position, texts, amount, onRemove, ...errors }: Props) {
  const field = (input: 'description' | 'quantity' | 'price' | 'tax', label: string) => {
    const error = errors[`${input}Error`]
    const name = lineName(input, row)
    return { id: `draft-${name}`, name, label, initialValue: texts[input], errors: error ? [error] : undefined }
  }
  return (
    <div
      role="group"
      aria-label={`Line ${position}`}
      className="grid grid-cols-3 items-start gap-x-3 gap-y-2 sm:grid-cols-[minmax(0,1fr)_4.5rem_7.5rem_5rem_7rem_2.75rem]"
    >
      <input type="hidden" name={lineName('source', row)} value={texts.source} />
      <Cell field={field('description', 'Description')} maxLength={500} className="max-sm:col-span-3" />
      <Cell field={field('quantity', 'Quantity')} inputMode="decimal" />
      <Cell field={field('price', 'Price')} inputMode="decimal" />
      <Cell field={field('tax', 'Tax %')} inputMode="decimal" />
      <p className="num min-w-0 self-center text-right font-medium max-sm:col-span-2 max-sm:text-left">
        <span className="sr-only">Amount: </span>
        {amount || '–'}
      </p>
      <span className="justify-self-end">
        {onRemove && <IconButton label={`Remove line ${position}`} icon={X} onClick={() => onRemove(row)} />}
      </span>
    </div>
  )
})

function Cell({
  field,
  className = '',
  ...attributes
}: {
  field: { id: string; name: string; label: string; initialValue: string; errors: string[] | undefined }
  className?: string
  inputMode?: 'decimal'
  maxLength?: number
}) {
  return (
    <div className={`field min-w-0 ${className}`}>
      <label className="label sm:sr-only" htmlFor={field.id}>
        {field.label}
      </label>
      <input {...controlProps(field)} {...attributes} autoComplete="off" className="input min-w-0" />
      <FieldNote field={field} />
    </div>
  )
}
