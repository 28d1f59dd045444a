import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { controlProps, FieldNote, type FieldState } from '../forms/field.tsx'
import type { RichTextEditor } from './editor.tsx'

type EditorMount = {
  Editor: typeof RichTextEditor
  initial: string
  generation: number
  /** The user is typing in the text area. */
  focus: boolean
}

/**
 * A rich text field, submitted as stored markup. Without JavaScript it is a text area. The editor takes over its text,
 * and any later change that dispatches an `input` event. Ctrl+Enter and ⌘+Enter submit the form.
 */
export function RichTextField({
  field,
  label,
  hint,
  aside,
  rows = 6,
  compact = false,
  labelClass = 'label',
}: {
  field: FieldState
  label: ReactNode
  hint?: ReactNode
  /** Shown at the right end of the label's line. */
  aside?: ReactNode
  /** The height of the empty field, in lines. */
  rows?: number
  /** Shows the toolbar only while the field has the focus. */
  compact?: boolean
  labelClass?: string
}) {
  const plain = useRef<HTMLTextAreaElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const byEditor = useRef(false)
  const [editing, setEditing] = useState<EditorMount | null>(null)
  const [waiting, setWaiting] = useState(false)
  const wired = controlProps(field, hint)
  const labelId = `${field.id}-label`
  const invalid = Boolean(field.errors?.length)
  // The height of the editor, so that nothing moves when it comes: a button would slip away under the pointer.
  const minHeight = compact ? `${(rows + 1) * 1.625}rem` : `calc(${rows * 1.625}rem + var(--rt-frame))`

  useEffect(() => {
    let isUnmounted = false
    // If the user is typing already, keep the text area until the editor takes over.
    setWaiting(document.activeElement !== plain.current)
    import('./editor.tsx').then(
      ({ RichTextEditor: Editor }) => {
        const area = plain.current
        // flushSync, so that no keystroke is lost between the text area and the editor.
        if (!isUnmounted && area)
          flushSync(() =>
            setEditing({ Editor, initial: area.value, generation: 0, focus: document.activeElement === area }),
          )
      },
      // Keep the text area if the editor can't be loaded.
      () => setWaiting(false),
    )
    return () => {
      isUnmounted = true
    }
  }, [])

  const area = (
    <textarea
      ref={plain}
      {...wired}
      rows={rows}
      className="input prose-serif"
      style={{ minHeight }}
      hidden={waiting || editing !== null}
      aria-invalid={editing === null && invalid ? true : undefined}
      aria-hidden={editing !== null || undefined}
      tabIndex={editing === null ? undefined : -1}
      onInput={({ currentTarget: { value } }) => {
        if (editing && !byEditor.current)
          setEditing({ ...editing, initial: value, generation: editing.generation + 1, focus: false })
      }}
    />
  )
  return (
    <div ref={box} role="presentation" className="field" onKeyDown={submitOnCtrlEnter}>
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
      {editing === null && waiting && <div className="rt skeleton" style={{ minHeight }} />}
      {editing !== null && (
        <editing.Editor
          key={editing.generation}
          initial={editing.initial}
          focus={editing.focus}
          label={labelId}
          rows={rows}
          compact={compact}
          describedBy={wired['aria-describedby']}
          invalid={invalid}
          onChange={(source) => {
            const area = plain.current
            if (!area) return
            area.value = source
            // Form listeners expect the same event as from any other field.
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

/** Clicks the form's first submit button, as Enter in an input does: a busy button ignores it. */
function submitOnCtrlEnter(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
  event.preventDefault()
  const controls = event.currentTarget.closest('form')?.elements ?? []
  const isSubmit = (control: Element) => control instanceof HTMLButtonElement && control.type === 'submit'
  const button = [...controls].find(isSubmit)
  if (button instanceof HTMLElement) button.click()
}
