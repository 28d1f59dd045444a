import { Form } from '@remix-run/react'
import { Plus } from 'lucide-react'
import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Fields } from '#app/lib/fields.ts'
import { formatMoney } from '#app/lib/money.ts'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { FormError, SelectField, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import type { DraftEditor } from '../draft-loader.server.ts'
import { maxInvoiceLines } from '../invoices/fields.ts'
import {
  describeLines,
  lineInputs,
  lineName,
  listRows,
  previewTotals,
  readLine,
  toLineInputs,
  type LineTexts,
  type Preview,
} from '../invoices/line-form.ts'
import { paymentsUrl } from '../list-state.ts'
import { DraftLine, type LineErrors } from './draft-line.tsx'
import { DraftSources } from './draft-sources.tsx'
import { DraftTotals } from './draft-totals.tsx'

const formId = 'draft'

const headFields = {
  description: { kind: 'line', label: 'Description', required: 'Description is required' },
  dueDate: { kind: 'line', label: 'Due date', optional: true },
  taxMode: {
    kind: 'choice',
    label: 'Tax',
    choices: { added: 'Added to the prices', included: 'Included in the prices' },
    message: 'Choose how tax is computed',
  },
  discount: { kind: 'line', label: 'Discount', optional: true, max: 30 },
  notes: { kind: 'text', label: 'Notes for the client', optional: true },
} as const satisfies Fields

type Row = { row: number; texts: LineTexts }
const toRows = (form: Record<string, unknown>): Row[] =>
  listRows(form).map((row) => ({ row, texts: readLine(form, row) }))

const lineFields = (rows: Row[]): Fields =>
  Object.fromEntries(
    rows.flatMap(({ row }) => lineInputs.map((input) => [lineName(input, row), { kind: 'line', label: input }])),
  )

/** Edits all of a draft. Without JavaScript, each save brings an empty line. */
export function DraftEditorForm({ draft, currency, taxRate, paymentDays, products, sessions }: DraftEditor) {
  const blank: LineTexts = { description: '', quantity: '1', price: '', tax: taxRate, source: '' }
  const [rows, setRows] = useState<Row[] | null>(null)
  const saved = withBlankRow(draft.values, blank)
  const state = useServerForm({ ...headFields, ...lineFields(rows ?? toRows(saved)) } as typeof headFields & Fields, {
    id: formId,
    intent: 'save',
    values: saved,
  })
  const typed = (state.submitted as Record<string, string> | undefined) ?? saved
  const savedLines = describeLines(saved)
  const headValues = Object.fromEntries(Object.keys(headFields).map((name) => [name, draft.values[name] ?? '']))
  const linesField = {
    id: 'lines',
    name: 'lines',
    label: 'Lines',
    choices: undefined,
    initialValue: describeLines(typed),
  }
  const headState = Object.fromEntries(Object.keys(headFields).map((name) => [name, state.fields[name]!]))
  const conflict = useEditConflict(
    {
      form: state.form,
      busy: state.busy,
      submitted: state.submitted && { ...state.submitted, lines: describeLines(state.submitted) },
      fields: { ...(headState as Pick<typeof state.fields, keyof typeof headFields>), lines: linesField },
    },
    { noun: 'invoice', current: { version: draft.version, values: { ...headValues, lines: savedLines } } },
  )
  // After a conflict the form starts again, with the saved lines if these were left alone.
  const first = conflict.hasConflict && conflict.fields.lines.initialValue === savedLines ? saved : typed
  const [startedWith, setStartedWith] = useState(conflict.key)
  if (startedWith !== conflict.key || rows === null) {
    setStartedWith(conflict.key)
    setRows(toRows(first))
  }
  return (
    <Form key={conflict.key} method="post" {...state.form.props} className="grid gap-6" preventScrollReset>
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="id" value={draft.id} />
      {/* Enter submits with the first button of a form. */}
      <button type="submit" className="sr-only" tabIndex={-1} aria-hidden="true" />
      {conflict.inputs}
      {conflict.notice}
      {!draft.isDraft && (
        <FormError id="draft-issued" errors={['This invoice is issued. It no longer changes: issue a credit note.']} />
      )}
      <Editor
        fields={conflict.fields}
        errors={(row) => readErrors(state.fields, row)}
        rows={rows ?? toRows(first)}
        setRows={setRows}
        blank={blank}
        initial={first}
        products={products}
        sessions={sessions}
        paymentDays={paymentDays}
        currency={currency}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <ButtonLink variant="ghost" to={paymentsUrl.href({ dialog: 'invoice', invoice: draft.id })}>
          Cancel
        </ButtonLink>
        {draft.isDraft && (
          <>
            <Button type="submit" name="issue" value="yes">
              Save and Issue
            </Button>
            <Button type="submit" variant="primary" busy={state.busy} busyLabel="Saving...">
              Save Draft
            </Button>
          </>
        )}
      </div>
    </Form>
  )
}

type HeadFields = Record<keyof typeof headFields, ReturnType<typeof useServerForm<Fields>>['fields'][string]>

function Editor({
  fields,
  errors,
  rows,
  setRows,
  blank,
  initial,
  products,
  sessions,
  paymentDays,
  currency,
}: Pick<DraftEditor, 'products' | 'sessions' | 'paymentDays' | 'currency'> & {
  fields: HeadFields
  errors: (row: number) => LineErrors
  rows: Row[]
  setRows: (rows: Row[]) => void
  blank: LineTexts
  /** The texts that the form starts with. */
  initial: Record<string, string>
}) {
  const container = useRef<HTMLDivElement>(null)
  const [preview, setPreview] = useState(() => previewTotals(initial, currency))
  const [isReady, setReady] = useState(false)
  const update = useCallback(() => {
    const form = container.current?.closest('form')
    if (form) setPreview(previewTotals(Object.fromEntries(new FormData(form)), currency))
  }, [currency])
  useEffect(() => {
    setReady(true)
    update()
  }, [rows, update])

  const focusRow = useRef<string | null>(null)
  useEffect(() => {
    if (focusRow.current === null) return
    document.getElementById(focusRow.current)?.focus()
    focusRow.current = null
  })
  const add = (lines: LineTexts[]) => {
    const next = Math.max(-1, ...rows.map(({ row }) => row)) + 1
    const added = lines.slice(0, maxInvoiceLines - rows.length).map((texts, index) => ({ row: next + index, texts }))
    if (!added.length) return
    focusRow.current = lineId('description', added[0]!.row)
    // The chosen lines replace the last one if nothing was typed there.
    const last = rows.at(-1)
    const isUnused = last && lines[0]!.description && !inputValue(lineName('description', last.row))
    setRows([...(isUnused && !inputValue(lineName('price', last.row)) ? rows.slice(0, -1) : rows), ...added])
  }
  const current = useRef({ rows, setRows })
  current.current = { rows, setRows }
  const remove = useCallback((row: number) => {
    const { rows: now, setRows: set } = current.current
    const index = now.findIndex((one) => one.row === row)
    const left = now.filter((one) => one.row !== row)
    const next = left[Math.min(index, left.length - 1)]
    focusRow.current = next ? lineId('description', next.row) : 'add-line'
    set(left)
  }, [])
  const isFull = rows.length >= maxInvoiceLines
  return (
    <div ref={container} onInput={update} onChange={update} className="grid gap-6">
      <Card title="Invoice">
        <div className="grid gap-4 border-t border-line-soft p-5 sm:grid-cols-2">
          <TextField field={fields.description} />
          <TextField
            field={fields.dueDate}
            type="date"
            hint={`By default ${paymentDays} ${paymentDays === 1 ? 'day' : 'days'} after it is issued.`}
          />
        </div>
      </Card>
      <Card title="Lines">
        <div className="border-t border-line-soft p-5">
          <div
            aria-hidden="true"
            className="mb-1.5 hidden gap-3 text-sm text-ink-3 sm:grid sm:grid-cols-[minmax(0,1fr)_4.5rem_7.5rem_5rem_7rem_2.75rem]"
          >
            <span>Description</span>
            <span>Quantity</span>
            <span>Price</span>
            <span>Tax %</span>
            <span className="text-right">Amount</span>
          </div>
          <div
            role="presentation"
            className="grid gap-2 max-sm:gap-5"
            onKeyDown={(event) => moveToNextRow(event, rows, () => add([blank]))}
          >
            {rows.map(({ row, texts }, index) => (
              <DraftLine
                key={row}
                row={row}
                position={index + 1}
                texts={texts}
                amount={toAmount(preview, row, currency)}
                {...errors(row)}
                onRemove={isReady ? remove : null}
              />
            ))}
          </div>
          <div className="mt-4 flex flex-wrap items-center gap-3">
            <Button
              id="add-line"
              type="submit"
              name="add"
              value="line"
              icon={Plus}
              disabled={isFull}
              onClick={(event) => {
                event.preventDefault()
                add([blank])
              }}
            >
              Add Line
            </Button>
            {isFull && <p className="hint">An invoice has at most {maxInvoiceLines} lines.</p>}
          </div>
          <DraftSources
            products={products}
            sessions={sessions}
            used={rows.map(({ texts }) => texts.source)}
            isFull={isFull}
            onAdd={add}
          />
        </div>
      </Card>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card title="Terms">
          <div className="grid gap-4 border-t border-line-soft p-5 sm:grid-cols-2">
            <SelectField field={fields.taxMode} />
            <TextField field={fields.discount} hint="10% or an amount, before tax is computed." autoComplete="off" />
            <TextAreaField field={fields.notes} rows={3} maxLength={2000} fieldClass="sm:col-span-2" />
          </div>
        </Card>
        <Card title="Totals" className="self-start">
          <DraftTotals preview={preview} currency={currency} />
        </Card>
      </div>
    </div>
  )
}

const lineId = (input: 'description' | 'quantity' | 'price' | 'tax', row: number) => `${formId}-${lineName(input, row)}`

const toAmount = ({ amounts }: Preview, row: number, currency: string): string => {
  const amount = amounts.get(row)
  return amount === undefined ? '' : formatMoney(amount, currency)
}

function withBlankRow(values: Record<string, string>, blank: LineTexts): Record<string, string> {
  const rows = listRows(values)
  if (rows.length >= maxInvoiceLines) return values
  const next = (rows.at(-1) ?? -1) + 1
  return {
    ...values,
    ...Object.fromEntries(
      Object.entries(toLineInputs([blank])).map(([name, text]) => [name.replace('0', String(next)), text]),
    ),
  }
}

function readErrors(fields: Record<string, { errors?: string[] | undefined } | undefined>, row: number): LineErrors {
  const error = (input: 'description' | 'quantity' | 'price' | 'tax') => fields[lineName(input, row)]?.errors?.[0]
  return {
    descriptionError: error('description'),
    quantityError: error('quantity'),
    priceError: error('price'),
    taxError: error('tax'),
  }
}

function inputValue(name: string): string {
  const field = document.querySelector(`#${formId} [name="${name}"]`)
  return field instanceof HTMLInputElement ? field.value.trim() : ''
}

/** Enter goes to the same field of the next line, after the last one to a new line. */
function moveToNextRow(event: KeyboardEvent, rows: Row[], addRow: () => void): void {
  const { target } = event
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
  if (!(target instanceof HTMLInputElement)) return
  const [, input, row] = /^(line|quantity|price|tax)(\d+)$/.exec(target.name) ?? []
  if (!input) return
  event.preventDefault()
  const next = rows[rows.findIndex((one) => one.row === Number(row)) + 1]
  if (next) document.getElementById(`${formId}-${input}${next.row}`)?.focus()
  else addRow()
}
