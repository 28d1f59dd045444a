import { useEffect, useImperativeHandle, useRef, useState, type FormEvent, type ReactNode, type Ref } from 'react'
import { plainText } from '#app/lib/markup.ts'
import {
  choiceOf,
  differenceOf,
  differences,
  printsOf,
  textOf,
  type Differing,
  type Side,
  type Texts,
} from '#app/lib/edit-conflict.ts'
import { FormError, type FieldLike } from './field.tsx'
import { Link } from '../navigation/link.tsx'

export type Labels<Name extends string> = readonly (readonly [Name, string])[]
type Fields<Name extends string> = { [Field in Name | 'version' | 'was']: FieldLike }

/**
 * For a form that two tabs may save. Render `inputs` in the form, `notice` above its fields, and pass on what is typed:
 * the second of two tabs is told what differs, chooses field by field, and loses nothing. `current`: as it is saved now.
 */
export function useTwoTabs<Name extends string>({
  fields,
  refused,
  labels,
  current,
  moved = false,
  what,
  shown = (_, text) => text,
}: {
  fields: Fields<Name>
  /** The form was refused as a whole. */
  refused: boolean
  labels: Labels<Name>
  current: { version: number; texts: Texts<Name> }
  /** Something that the version doesn't count was changed here and there: the place where it stands. */
  moved?: boolean
  /** 'This client' */
  what: string
  /** What a field's text is called on screens: of a choice its label. */
  shown?: (name: Name, text: string) => string
}) {
  const names = labels.map(([name]) => name)
  const [opened] = useState(current)
  const sent = Number(textOf(fields.version.initialValue) || Number.NaN)
  const told = refused && Number.isInteger(sent) && (sent !== current.version || moved)
  const base = textOf(fields.was.initialValue)
  const mine = Object.fromEntries(names.map((name) => [name, textOf(fields[name].initialValue)])) as Texts<Name>
  const differing = told ? differences(names, base, mine, current.texts) : []
  // Only what this form was told about may be overwritten by it.
  const version = told ? current.version : Number.isInteger(sent) ? sent : opened.version
  const was = told || !base ? printsOf(names, told ? current.texts : opened.texts) : base
  const watch = useRef<((event: FormEvent) => void) | null>(null)

  return {
    told,
    inputs: (
      <>
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="was" value={was} />
      </>
    ),
    notice: told ? (
      <SavedMeanwhile
        key={`${current.version} ${was}`}
        what={what}
        labels={labels}
        differing={differing}
        fields={fields}
        watch={watch}
        shown={shown}
      />
    ) : null,
    onInput: (event: FormEvent) => watch.current?.(event),
  }
}

const sideWords: Record<Side, string> = { mine: 'Typed here', theirs: 'Saved there' }

function SavedMeanwhile<Name extends string>({
  what,
  labels,
  differing,
  fields,
  watch,
  shown,
}: {
  what: string
  labels: Labels<Name>
  differing: Differing<Name>[]
  fields: Fields<Name>
  /** Gets what is told of each thing that is typed. */
  watch: Ref<(event: FormEvent) => void>
  shown: (name: Name, text: string) => string
}) {
  const notice = useRef<HTMLDivElement>(null)
  const [sides, setSides] = useState(
    () => Object.fromEntries(differing.map(({ name, first }) => [name, first])) as Partial<Record<Name, Side>>,
  )
  // What was typed here, also when it is typed on after this was shown.
  const own = useRef(
    Object.fromEntries(differing.map(({ name, mine }) => [name, mine])) as Partial<Record<Name, string>>,
  )

  const choose = (name: Name, side: Side) => {
    const text = side === 'theirs' ? differing.find((one) => one.name === name)?.theirs : own.current[name]
    take(fields[name].id, text ?? '')
    setSides((before) => ({ ...before, [name]: side }))
  }
  useImperativeHandle(watch, () => ({ target }) => {
    const field =
      target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
        ? target
        : null
    const one = differing.find(({ name }) => name === field?.name)
    if (!field || !one) return
    const side = textOf(field.value) === one.theirs ? 'theirs' : 'mine'
    if (side === 'mine') own.current[one.name] = textOf(field.value)
    setSides((before) => (before[one.name] === side ? before : { ...before, [one.name]: side }))
  })

  // As it was when this was told: what is chosen after that is not taken back.
  const [taken] = useState(() =>
    differing.filter(({ first }) => first === 'theirs').map(({ name, theirs }) => ({ id: fields[name].id, theirs })),
  )
  useEffect(() => {
    for (const { id, theirs } of taken) take(id, theirs)
    notice.current?.focus()
  }, [taken])

  return (
    <div
      ref={notice}
      role="alert"
      tabIndex={-1}
      className="rounded-md bg-warning-soft px-4 py-3 text-ink shadow-[inset_0_0_0_1px_var(--warning-line)]"
    >
      <p className="font-semibold">{what} was saved in another tab meanwhile.</p>
      <p className="mt-0.5 text-sm text-ink-2">
        {differing.length
          ? 'Nothing you typed is lost. Choose what counts where the two differ, then save again.'
          : 'What was saved there is the same as what stands here. Save again to go on.'}
      </p>
      {differing.map(({ name, mine, theirs }) => {
        const label = labels.find(([each]) => each === name)![1]
        const side = sides[name] ?? 'mine'
        const parts = shownParts(shown(name, mine), shown(name, theirs))
        return (
          <fieldset key={name} className="mt-2 border-t border-warning-line pt-2">
            <legend className="float-left w-full text-sm font-medium">{label}</legend>
            <div className="clear-both grid gap-x-5 pt-1 gap-y-2 sm:grid-cols-2">
              {(['mine', 'theirs'] as const).map((which) => (
                <div key={which} className="flex min-w-0 items-start gap-2 text-sm">
                  <input
                    id={`${fields[name].id}-${which}`}
                    type="radio"
                    name={choiceOf(name)}
                    value={which}
                    checked={side === which}
                    onChange={() => choose(name, which)}
                    className="mt-1 shrink-0 accent-(--brand-edge)"
                  />
                  <div className="min-w-0">
                    <label htmlFor={`${fields[name].id}-${which}`}>{sideWords[which]}</label>
                    <p className="max-h-40 overflow-y-auto whitespace-pre-wrap text-ink-2 wrap-anywhere">
                      {(which === 'mine' ? mine : theirs) === '' ? 'empty' : <Piece parts={parts} which={which} />}
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

function Piece({ parts, which }: { parts: ReturnType<typeof differenceOf>; which: Side }) {
  return (
    <>
      {parts.before}
      {parts[which] && <mark className="text-ink">{parts[which]}</mark>}
      {parts.after}
    </>
  )
}

/** Why the form as a whole was refused, and a way on. `what` it is about: 'This client'. */
export function RefusedForm({
  form,
  notice,
  what,
}: {
  form: { errorId: string; errors: string[] | undefined }
  notice: ReactNode
  what: string
}) {
  if (notice) return <>{notice}</>
  // The one thing that a form of a record doesn't find is the record itself.
  if (!form.errors?.[0]?.endsWith(' not found')) return <FormError id={form.errorId} errors={form.errors} />
  return <DeletedNotice id={form.errorId} what={what} />
}

export function DeletedNotice({ id, what }: { id: string; what: string }) {
  return (
    <div
      id={id}
      tabIndex={-1}
      role="alert"
      className="rounded-md bg-warning-soft px-4 py-3 shadow-[inset_0_0_0_1px_var(--warning-line)]"
    >
      <p className="font-semibold">{what} was deleted meanwhile.</p>
      <p className="mt-0.5 text-sm text-ink-2">
        What you typed stays here.{' '}
        <Link to="/trash" target="_blank" className="link">
          Restore it from the trash
        </Link>
        , then save again.
      </p>
    </div>
  )
}

/** By their words; where only the formatting differs, as they are stored. */
function shownParts(mine: string, theirs: string) {
  const [a, b] = [plainText(mine), plainText(theirs)]
  return a === b ? differenceOf(mine, theirs) : differenceOf(a, b)
}

/** Puts a text into a field as if it had been typed there. */
function take(id: string, text: string) {
  const field = document.getElementById(id)
  if (
    !(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement)
  )
    return
  if (field.value === text) return
  // A choice that this list doesn't have yet, such as a program of the coach's own.
  if (field instanceof HTMLSelectElement && ![...field.options].some(({ value }) => value === text))
    field.add(new Option(text, text))
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
  if (field instanceof HTMLSelectElement) field.dispatchEvent(new Event('change', { bubbles: true }))
}
