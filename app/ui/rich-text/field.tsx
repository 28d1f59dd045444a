import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { control, FieldNote, type FieldLike } from '../field.tsx'

// The editor comes with the pages that have one, after they are shown.
const RichTextEditor = lazy(() => import('./editor.tsx').then((module) => ({ default: module.RichTextEditor })))

/**
 * A field of rich text, sent as light markup. Before scripts have loaded it is a text area with the markup in it; what was
 * typed there goes into the editor, and so does what a script puts into it later (with an `input` event).
 */
export function RichTextField({
  field,
  label,
  hint,
  aside,
  rows = 6,
  labelClass = 'label',
}: {
  field: FieldLike
  label: ReactNode
  hint?: ReactNode
  /** Stands at the right end of the label's line. */
  aside?: ReactNode
  /** How high it is while it is empty: lines of text. */
  rows?: number
  labelClass?: string
}) {
  const plain = useRef<HTMLTextAreaElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const byEditor = useRef(false)
  const [editing, setEditing] = useState<{ initial: string; round: number } | null>(null)
  const wired = control(field, hint)
  const labelId = `${field.id}-label`
  const invalid = Boolean(field.errors?.length)

  useEffect(() => setEditing({ initial: plain.current?.value ?? '', round: 0 }), [])

  const area = (
    <textarea
      ref={plain}
      {...wired}
      rows={rows}
      className="input textarea words"
      hidden={editing !== null}
      aria-invalid={editing === null && invalid ? true : undefined}
      aria-hidden={editing !== null || undefined}
      tabIndex={editing === null ? undefined : -1}
      onInput={({ currentTarget: { value } }) => {
        if (editing && !byEditor.current) setEditing({ initial: value, round: editing.round + 1 })
      }}
    />
  )
  return (
    <div ref={box} className="field">
      <div className="flex items-baseline justify-between gap-3">
        <label
          id={labelId}
          className={labelClass}
          htmlFor={editing === null ? field.id : undefined}
          onClick={() => box.current?.querySelector<HTMLElement>('[contenteditable]')?.focus()}
        >
          {label}
        </label>
        {aside}
      </div>
      {area}
      {editing !== null && (
        <Suspense fallback={<div className="rt skeleton" style={{ minHeight: `${rows * 1.6 + 3.5}rem` }} />}>
          <RichTextEditor
            key={editing.round}
            initial={editing.initial}
            label={labelId}
            rows={rows}
            describedBy={wired['aria-describedby']}
            invalid={invalid}
            onChange={(source) => {
              const area = plain.current
              if (!area) return
              area.value = source
              // Whoever watches the form for changes hears of it as of any other field.
              byEditor.current = true
              area.dispatchEvent(new Event('input', { bubbles: true }))
              byEditor.current = false
            }}
          />
        </Suspense>
      )}
      <FieldNote field={field} hint={hint} />
    </div>
  )
}
