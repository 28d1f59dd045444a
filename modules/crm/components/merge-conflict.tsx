import { useEffect, useImperativeHandle, useRef, useState, type FormEvent, type Ref } from 'react'
import { diffText, type DiffParts } from '#app/lib/diff-text.ts'
import {
  choiceName,
  diffFields,
  fieldHashes,
  toFieldText,
  type ConflictSide,
  type FieldConflict,
  type FieldValues,
} from '#app/lib/edit-conflict.ts'
import type { Fields } from '#app/lib/fields.ts'
import { plainText } from '#app/lib/markup.ts'
import { DeletedNotice } from '#app/ui/forms/edit-conflict.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import type { FormField, ServerForm } from '#app/ui/forms/use-server-form.ts'

/**
 * For the form of a record with long texts, which two tabs may save: the second one sees the differences and chooses
 * field by field. Put `inputs` into the form, `notice` above its fields, and `onInput` on the form. `current`: the
 * saved version.
 */
export function useMergeConflict<F extends Fields>(
  { form, fields, submitted }: ServerForm<F>,
  { noun, current }: { noun: string; current: { version: number; texts: { [N in keyof F]?: string } } },
) {
  const names = Object.keys(current.texts)
  const texts: FieldValues<string> = current.texts
  const [opened] = useState({ version: current.version, texts })
  const submittedVersion = Number(submitted?.version) || 0
  const submittedHashes = toFieldText(submitted?.was)
  const hasConflict = form.error?.code === 'conflict' && submittedVersion > 0 && submittedVersion !== current.version
  const conflicts = hasConflict ? diffFields(names, submittedHashes, submitted ?? {}, texts) : []
  // The form may only overwrite a version that it has shown.
  const version = hasConflict ? current.version : submittedVersion || opened.version
  const openedHashes = hasConflict ? fieldHashes(names, texts) : submittedHashes || fieldHashes(names, opened.texts)
  const noticeInput = useRef<((event: FormEvent) => void) | null>(null)
  const isDeleted = form.error?.code === 'not_found' && form.error.subject === noun

  return {
    inputs: (
      <>
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="was" value={openedHashes} />
      </>
    ),
    notice: hasConflict ? (
      <ConflictNotice
        key={`${current.version} ${openedHashes}`}
        subject={`This ${noun}`}
        conflicts={conflicts}
        getField={(name) => fields[name as keyof F]}
        onInput={noticeInput}
      />
    ) : isDeleted ? (
      <DeletedNotice id={form.errorId} subject={`This ${noun}`} />
    ) : (
      <FormError id={form.errorId} errors={form.errors} />
    ),
    onInput: (event: FormEvent) => noticeInput.current?.(event),
  }
}

const sideLabels: Record<ConflictSide, string> = { mine: 'Your version', theirs: 'Saved version' }

function ConflictNotice({
  subject,
  conflicts,
  getField,
  onInput,
}: {
  subject: string
  conflicts: FieldConflict<string>[]
  getField: (name: string) => FormField
  /** Receives the form's input events. */
  onInput: Ref<(event: FormEvent) => void>
}) {
  const notice = useRef<HTMLDivElement>(null)
  const [sides, setSides] = useState<Record<string, ConflictSide>>(() =>
    Object.fromEntries(conflicts.map(({ name, initialSide }) => [name, initialSide])),
  )
  // The user's texts, including changes made after this notice appeared.
  const ownTexts = useRef<Record<string, string>>(Object.fromEntries(conflicts.map(({ name, mine }) => [name, mine])))

  const choose = (name: string, side: ConflictSide) => {
    const text =
      side === 'theirs' ? conflicts.find((conflict) => conflict.name === name)?.theirs : ownTexts.current[name]
    setFieldValue(getField(name).id, text ?? '')
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
      .map(({ name, theirs }) => ({ id: getField(name).id, theirs })),
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
        const { label, choices } = getField(name)
        const format = (text: string) => choices?.find(({ value }) => value === text)?.label ?? text
        const selected = sides[name] ?? 'mine'
        const parts = diffPlainText(format(mine), format(theirs))
        return (
          <fieldset key={name} className="mt-2 border-t border-warning-line pt-2">
            <legend className="float-left w-full text-sm font-medium">{label}</legend>
            <div className="clear-both grid gap-x-5 pt-1 gap-y-2 sm:grid-cols-2">
              {(['mine', 'theirs'] as const).map((side) => (
                <div key={side} className="flex min-w-0 items-start gap-2 text-sm">
                  <input
                    id={`${getField(name).id}-${side}`}
                    type="radio"
                    name={choiceName(name)}
                    value={side}
                    checked={selected === side}
                    onChange={() => choose(name, side)}
                    className="mt-1 shrink-0 accent-(--brand-edge)"
                  />
                  <div className="min-w-0">
                    <label htmlFor={`${getField(name).id}-${side}`}>{sideLabels[side]}</label>
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
