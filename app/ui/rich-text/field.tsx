import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { control, FieldNote, type FieldLike } from '../field.tsx'

// The editor comes with the pages that have one, after they are shown.
const RichTextEditor = lazy(() => import('./editor.tsx').then((module) => ({ default: module.RichTextEditor })))

/**
 * A field of rich text, sent as light markup. Before scripts have loaded it is a text area with the markup in it; what was
 * typed there goes into the editor.
 */
export function RichTextField({ field, label, hint }: { field: FieldLike; label: string; hint?: ReactNode }) {
  const plain = useRef<HTMLTextAreaElement>(null)
  const [initial, setInitial] = useState<string | null>(null)
  const wired = control(field, hint)
  const labelId = `${field.id}-label`

  useEffect(() => setInitial(plain.current?.value ?? ''), [])

  const area = (
    <textarea
      ref={plain}
      {...wired}
      rows={6}
      className="input textarea words"
      hidden={initial !== null}
      aria-hidden={initial !== null || undefined}
      tabIndex={initial === null ? undefined : -1}
    />
  )
  return (
    <div className="field">
      <label id={labelId} className="label" htmlFor={field.id}>
        {label}
      </label>
      {area}
      {initial !== null && (
        <Suspense fallback={<div className="rt skeleton min-h-52" />}>
          <RichTextEditor
            initial={initial}
            label={labelId}
            describedBy={wired['aria-describedby']}
            invalid={Boolean(field.errors?.length)}
            onChange={(source) => {
              const area = plain.current
              if (!area) return
              area.value = source
              // Whoever watches the form for changes hears of it as of any other field.
              area.dispatchEvent(new Event('input', { bubbles: true }))
            }}
          />
        </Suspense>
      )}
      <FieldNote field={field} hint={hint} />
    </div>
  )
}
