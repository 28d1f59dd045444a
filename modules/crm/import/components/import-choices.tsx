import type { FetcherWithComponents } from '@remix-run/react'
import { useCallback, useEffect, useRef, type FormEvent } from 'react'
import { Button } from '#app/ui/components/button.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import type { ImportStep } from '../import-loader.server.ts'
import type { PreviewRow } from '../preview.ts'
import { OutcomeBadge } from './import-rows.tsx'

type PreviewStep = Extract<ImportStep, { step: 'preview' }>

const choiceFields = { tag: { kind: 'line', label: 'Tag for these clients', max: 40 } } as const

/** The rows of a file with a box for each that can be imported, and the tag of their clients. Saved at each change. */
export function ImportChoicesForm({ id, step: { rows, tag, tags, counts } }: { id: string; step: PreviewStep }) {
  const { form, fields, fetcher, submitted } = useFetcherForm(choiceFields, { id, intent: 'choose', values: { tag } })
  const { ref, save, saveSoon, onSubmit } = useAutosave(fetcher)
  const selectable = rows.filter(isSelectable)
  const canChoose = counts.create + counts['left-out'] + counts.deselected > 0
  return (
    <fetcher.Form
      method="post"
      {...form.props}
      ref={ref}
      preventScrollReset
      onSubmit={onSubmit}
      className="mt-4 grid gap-4"
      onChange={({ target }) =>
        target instanceof HTMLInputElement && target.type === 'checkbox' ? save() : saveSoon()
      }
    >
      <input type="hidden" name="intent" value="choose" />
      <input type="hidden" name="shown" value={selectable.map(({ index }) => index).join()} />
      <FormError id={form.errorId} errors={form.errors} />
      {canChoose && (
        <div className="flex flex-wrap items-start justify-between gap-3">
          <TextField
            field={fields.tag}
            hint="Optional. An existing tag or a new one."
            list="known-tags"
            autoComplete="off"
            fieldClass="w-full sm:w-72"
          />
          <datalist id="known-tags">
            {tags.map((known) => (
              <option key={known} value={known} />
            ))}
          </datalist>
          <div className="flex flex-wrap gap-2 sm:mt-6">
            <noscript>
              <Button type="submit">Save Selection</Button>
            </noscript>
            <Button type="submit" name="then" value="all" onClick={() => checkAll(ref.current, true)}>
              Select All
            </Button>
            <Button type="submit" name="then" value="none" onClick={() => checkAll(ref.current, false)}>
              Select None
            </Button>
          </div>
        </div>
      )}
      {rows.length ? (
        <RowTable rows={rows} isChecked={getChecked(submitted)} />
      ) : (
        <p className="py-8 text-center text-ink-3">No rows</p>
      )}
    </fetcher.Form>
  )
}

/**
 * Submits the form at each change. One request at a time, because the server may process two in another order: a
 * submission that is made while one is on its way is kept as it was, and follows it.
 */
function useAutosave({ state, submit }: FetcherWithComponents<unknown>) {
  const ref = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isSending = useRef(false)
  const waiting = useRef<FormData[]>([])
  const cancel = () => clearTimeout(timer.current)
  const save = () => ref.current?.requestSubmit()
  const saveSoon = () => {
    cancel()
    timer.current = setTimeout(save, 400)
  }
  const send = useCallback(
    (form: FormData) => {
      isSending.current = true
      // Without flushSync a busy browser could skip the start of a request, and the effect miss its end.
      submit(form, { method: 'post', preventScrollReset: true, flushSync: true })
    },
    [submit],
  )
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    cancel()
    const form = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter)
    if (isSending.current) addWaiting(waiting.current, form)
    else send(form)
  }
  useEffect(() => {
    if (state !== 'idle') return
    const next = waiting.current.shift()
    isSending.current = next !== undefined
    // React can't flush inside an effect.
    if (next) queueMicrotask(() => send(next))
  }, [state, send])
  useEffect(() => cancel, [])
  return { ref, save, saveSoon, onSubmit }
}

/** Adds a submission. It replaces an earlier one of the same rows, unless one of them was made with a button. */
function addWaiting(waiting: FormData[], form: FormData): void {
  const last = waiting.at(-1)
  const isSame = last && last.get('shown') === form.get('shown') && !last.has('then') && !form.has('then')
  if (isSame) waiting.pop()
  waiting.push(form)
}

/** The server selects the rows of all pages, and the boxes stay the same elements. */
function checkAll(form: HTMLFormElement | null, checked: boolean): void {
  for (const box of form?.querySelectorAll<HTMLInputElement>('input[name="rows"]') ?? []) box.checked = checked
}

const isSelectable = ({ outcome }: PreviewRow): boolean => outcome !== 'duplicate' && outcome !== 'error'

/** Whether a box is checked: after a failure as it was submitted, otherwise as it is saved. */
function getChecked(submitted: Record<string, unknown> | undefined): (row: PreviewRow) => boolean {
  const list = (value: unknown) => new Set([value ?? []].flat().flatMap((text) => String(text).split(',').map(Number)))
  const [shown, checked] = [list(submitted?.shown), list(submitted?.rows)]
  return ({ index, outcome }) => (shown.has(index) ? checked.has(index) : outcome !== 'deselected')
}

function RowTable({ rows, isChecked }: { rows: PreviewRow[]; isChecked: (row: PreviewRow) => boolean }) {
  return (
    <div className="border-line-soft max-md:border-y md:rounded-lg md:border md:border-line">
      <table className="table">
        <caption className="sr-only">Rows to import</caption>
        <thead>
          <tr>
            <th scope="col" className="max-md:!px-1">
              <span className="sr-only">Import</span>
            </th>
            <th scope="col" className="max-md:hidden">
              Line
            </th>
            <th scope="col" className="max-md:!px-2">
              Person
            </th>
            <th scope="col" className="max-md:!px-2">
              Outcome
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.index}>
              <td className="w-10 max-md:!pr-1 max-md:!pl-3">
                {isSelectable(row) && <RowBox row={row} checked={isChecked(row)} />}
              </td>
              <td className="num w-16 max-md:hidden">{row.line.toLocaleString('en-US')}</td>
              <td className="w-full max-w-0 !whitespace-normal py-2 max-md:!px-2">
                <strong className="block truncate">{row.name || '–'}</strong>
                <span className="block truncate text-sm text-ink-3">{row.email || 'No email address'}</span>
                {(row.reason ?? row.detail) && (
                  <span className="block text-sm wrap-anywhere text-ink-2">{row.reason ?? row.detail}</span>
                )}
              </td>
              <td className="max-md:!px-2">
                <OutcomeBadge outcome={row.outcome} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function RowBox({ row: { index, line, name }, checked }: { row: PreviewRow; checked: boolean }) {
  return (
    <label className="hit flex">
      <span className="sr-only">
        Import {name}, line {line}
      </span>
      <input type="checkbox" name="rows" value={index} className="check" defaultChecked={checked} />
    </label>
  )
}
