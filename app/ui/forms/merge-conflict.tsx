import { useEffect, useImperativeHandle, useRef, useState, type FormEvent, type ReactNode, type Ref } from 'react'
import {
  choiceName,
  diffFields,
  diffText,
  fieldHashes,
  toFieldText,
  type ConflictSide,
  type DiffParts,
  type FieldConflict,
  type FieldTexts,
} from '#app/lib/edit-conflict.ts'
import { plainText } from '#app/lib/markup.ts'
import { DeletedNotice } from './edit-conflict.tsx'
import { FormError, type FieldState } from './field.tsx'

export type FieldLabels<Name extends string> = readonly (readonly [Name, string])[]
type ConflictFields<Name extends string> = { [Field in Name | 'version' | 'was']: FieldState }

/**
 * For a form that two tabs may save: the second one sees the differences and chooses field by field. Render `inputs` in
 * the form and `notice` above its fields, and put `onInput` on the form. `current`: the saved version.
 */
export function useMergeConflict<Name extends string>({
  fields,
  wasRejected,
  labels,
  current,
  hasMoved = false,
  subject,
  formatValue = (_, text) => text,
}: {
  fields: ConflictFields<Name>
  /** The last submission failed with a form error. */
  wasRejected: boolean
  labels: FieldLabels<Name>
  current: { version: number; texts: FieldTexts<Name> }
  /** Both tabs changed something that the version doesn't cover, such as the position. */
  hasMoved?: boolean
  /** 'This client' */
  subject: string
  /** The text that users see for a field's value, such as the label of a choice. */
  formatValue?: (name: Name, text: string) => string
}) {
  const names = labels.map(([name]) => name)
  const [opened] = useState(current)
  const submittedVersion = Number(toFieldText(fields.version.initialValue) || Number.NaN)
  const wasSubmitted = Number.isInteger(submittedVersion)
  const hasConflict = wasRejected && wasSubmitted && (submittedVersion !== current.version || hasMoved)
  const submittedHashes = toFieldText(fields.was.initialValue)
  const mine = Object.fromEntries(
    names.map((name) => [name, toFieldText(fields[name].initialValue)]),
  ) as FieldTexts<Name>
  const conflicts = hasConflict ? diffFields(names, submittedHashes, mine, current.texts) : []
  // The form may only overwrite a version that it has shown.
  const version = hasConflict ? current.version : wasSubmitted ? submittedVersion : opened.version
  const openedHashes = hasConflict
    ? fieldHashes(names, current.texts)
    : submittedHashes || fieldHashes(names, opened.texts)
  const noticeInput = useRef<((event: FormEvent) => void) | null>(null)

  return {
    hasConflict,
    inputs: (
      <>
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="was" value={openedHashes} />
      </>
    ),
    notice: hasConflict ? (
      <ConflictNotice
        key={`${current.version} ${openedHashes}`}
        subject={subject}
        labels={labels}
        conflicts={conflicts}
        fields={fields}
        onInput={noticeInput}
        formatValue={formatValue}
      />
    ) : null,
    onInput: (event: FormEvent) => noticeInput.current?.(event),
  }
}

const sideLabels: Record<ConflictSide, string> = { mine: 'Your version', theirs: 'Saved version' }

function ConflictNotice<Name extends string>({
  subject,
  labels,
  conflicts,
  fields,
  onInput,
  formatValue,
}: {
  subject: string
  labels: FieldLabels<Name>
  conflicts: FieldConflict<Name>[]
  fields: ConflictFields<Name>
  /** Receives the form's input events. */
  onInput: Ref<(event: FormEvent) => void>
  formatValue: (name: Name, text: string) => string
}) {
  const notice = useRef<HTMLDivElement>(null)
  const [sides, setSides] = useState(
    () =>
      Object.fromEntries(conflicts.map(({ name, initialSide }) => [name, initialSide])) as Partial<
        Record<Name, ConflictSide>
      >,
  )
  // The user's texts, including changes made after this notice appeared.
  const ownTexts = useRef(
    Object.fromEntries(conflicts.map(({ name, mine }) => [name, mine])) as Partial<Record<Name, string>>,
  )

  const choose = (name: Name, side: ConflictSide) => {
    const text =
      side === 'theirs' ? conflicts.find((conflict) => conflict.name === name)?.theirs : ownTexts.current[name]
    setFieldValue(fields[name].id, text ?? '')
    setSides((previous) => ({ ...previous, [name]: side }))
  }
  useImperativeHandle(onInput, () => ({ target }) => {
    const field = isField(target) ? target : null
    const conflict = conflicts.find(({ name }) => name === field?.name)
    if (!field || !conflict) return
    const side = toFieldText(field.value) === conflict.theirs ? 'theirs' : 'mine'
    if (side === 'mine') ownTexts.current[conflict.name] = toFieldText(field.value)
    setSides((previous) => (previous[conflict.name] === side ? previous : { ...previous, [conflict.name]: side }))
  })

  // Snapshot at first render, so that later choices aren't overwritten.
  const [adopted] = useState(() =>
    conflicts
      .filter(({ initialSide }) => initialSide === 'theirs')
      .map(({ name, theirs }) => ({ id: fields[name].id, theirs })),
  )
  useEffect(() => {
    for (const { id, theirs } of adopted) setFieldValue(id, theirs)
    notice.current?.focus()
  }, [adopted])

  return (
    <div
      ref={notice}
      role="alert"
      tabIndex={-1}
      className="rounded-md bg-warning-soft px-4 py-3 text-ink shadow-[inset_0_0_0_1px_var(--warning-line)]"
    >
      <p className="font-semibold">{subject} was changed in another tab while you were editing.</p>
      <p className="mt-0.5 text-sm text-ink-2">
        {conflicts.length
          ? 'Choose which version to keep, then save again.'
          : 'The saved version is identical. Save again to continue.'}
      </p>
      {conflicts.map(({ name, mine, theirs }) => {
        const label = labels.find(([field]) => field === name)![1]
        const selected = sides[name] ?? 'mine'
        const parts = diffPlainText(formatValue(name, mine), formatValue(name, theirs))
        return (
          <fieldset key={name} className="mt-2 border-t border-warning-line pt-2">
            <legend className="float-left w-full text-sm font-medium">{label}</legend>
            <div className="clear-both grid gap-x-5 pt-1 gap-y-2 sm:grid-cols-2">
              {(['mine', 'theirs'] as const).map((side) => (
                <div key={side} className="flex min-w-0 items-start gap-2 text-sm">
                  <input
                    id={`${fields[name].id}-${side}`}
                    type="radio"
                    name={choiceName(name)}
                    value={side}
                    checked={selected === side}
                    onChange={() => choose(name, side)}
                    className="mt-1 shrink-0 accent-(--brand-edge)"
                  />
                  <div className="min-w-0">
                    <label htmlFor={`${fields[name].id}-${side}`}>{sideLabels[side]}</label>
                    <p className="max-h-40 overflow-y-auto whitespace-pre-wrap text-ink-2 wrap-anywhere">
                      {(side === 'mine' ? mine : theirs) === '' ? 'empty' : <DiffSnippet parts={parts} side={side} />}
                    </p>
                  </div>
                </div>
              ))}
            </div>
          </fieldset>
        )
      })}
    </div>
  )
}

function DiffSnippet({ parts, side }: { parts: DiffParts; side: ConflictSide }) {
  return (
    <>
      {parts.before}
      {parts[side] && <mark className="text-ink">{parts[side]}</mark>}
      {parts.after}
    </>
  )
}

/** The form error, or the notice of an edit conflict or a deleted record. `subject`: 'This client'. */
export function FormErrorSummary({
  form,
  notice,
  subject,
}: {
  form: { errorId: string; errors: string[] | undefined }
  notice: ReactNode
  subject: string
}) {
  if (notice) return <>{notice}</>
  // The only record that such a form can fail to find is its own.
  if (!form.errors?.[0]?.endsWith(' not found')) return <FormError id={form.errorId} errors={form.errors} />
  return <DeletedNotice id={form.errorId} subject={subject} />
}

/** Compares plain text, or markup if only the formatting differs. */
function diffPlainText(mine: string, theirs: string): DiffParts {
  const [a, b] = [plainText(mine), plainText(theirs)]
  return a === b ? diffText(mine, theirs) : diffText(a, b)
}

/** Sets a field's value and dispatches the events of user input. */
function setFieldValue(id: string, text: string): void {
  const field = document.getElementById(id)
  if (!isField(field) || field.value === text) return
  // The saved value may be missing from the options, such as a custom program.
  if (field instanceof HTMLSelectElement && ![...field.options].some(({ value }) => value === text))
    field.add(new Option(text, text))
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
  if (field instanceof HTMLSelectElement) field.dispatchEvent(new Event('change', { bubbles: true }))
}

function isField(target: unknown): target is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  )
}
