import { useEffect, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { control, FieldNote, type FieldLike } from '../forms/field.tsx'
import type { RichTextEditor } from './editor.tsx'

type Editing = {
  Editor: typeof RichTextEditor
  initial: string
  round: number /** Somebody is typing here. */
  focus: boolean
}

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
  const [editing, setEditing] = useState<Editing | null>(null)
  const [waiting, setWaiting] = useState(false)
  const wired = control(field, hint)
  const labelId = `${field.id}-label`
  const invalid = Boolean(field.errors?.length)

  useEffect(() => {
    let gone = false
    // Who is typing already goes on where they are until the editor takes over.
    setWaiting(document.activeElement !== plain.current)
    import('./editor.tsx').then(
      ({ RichTextEditor: Editor }) => {
        const area = plain.current
        // At once: a key that is pressed between the text area and the editor would go to neither.
        if (!gone && area)
          flushSync(() => setEditing({ Editor, initial: area.value, round: 0, focus: document.activeElement === area }))
      },
      // Without the editor the text area does.
      () => setWaiting(false),
    )
    return () => {
      gone = true
    }
  }, [])

  const area = (
    <textarea
      ref={plain}
      {...wired}
      rows={rows}
      className="input textarea words"
      hidden={waiting || editing !== null}
      aria-invalid={editing === null && invalid ? true : undefined}
      aria-hidden={editing !== null || undefined}
      tabIndex={editing === null ? undefined : -1}
      onInput={({ currentTarget: { value } }) => {
        if (editing && !byEditor.current)
          setEditing({ ...editing, initial: value, round: editing.round + 1, focus: false })
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
      {editing === null && waiting && <div className="rt skeleton" style={{ minHeight: `${rows * 1.6 + 3.5}rem` }} />}
      {editing !== null && (
        <editing.Editor
          key={editing.round}
          initial={editing.initial}
          focus={editing.focus}
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
      )}
      <FieldNote field={field} hint={hint} />
    </div>
  )
}
