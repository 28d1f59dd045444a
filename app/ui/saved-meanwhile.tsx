import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'

/** `value`: what the field would hold; `shown`: the same for people. */
export type Differing = { fieldId: string; label: string; value: string; shown: string }

/** Tells the second of two tabs what the first one saved, field by field, above a form that keeps what was typed. */
export function SavedMeanwhile({ what, differing }: { what: string; differing: Differing[] }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <div ref={notice} role="alert" tabIndex={-1} className="rounded-md bg-warning-soft px-4 py-3 text-ink shadow-[inset_0_0_0_1px_var(--warning-line)]">
      <p className="font-semibold">This {what} was saved in another tab meanwhile.</p>
      <p className="mt-0.5 text-sm text-ink-2">
        {differing.length
          ? 'Nothing you typed is lost. Compare what differs, take over what you want to keep, and save again: then your version counts.'
          : 'What was saved there is the same as what stands here.'}
      </p>
      {differing.length > 0 && (
        <ul className="mt-2 grid gap-2">
          {differing.map(({ fieldId, label, value, shown }) => (
            <li key={fieldId} className="flex items-start gap-3 border-t border-warning-line pt-2">
              <div className="min-w-0 flex-1">
                <span className="block text-sm font-medium">{label}, as saved there</span>
                <span className="line-clamp-4 text-sm whitespace-pre-wrap text-ink-2 wrap-anywhere">{shown || 'empty'}</span>
              </div>
              <Button size="sm" onClick={() => take(fieldId, value)}>
                Take over <span className="sr-only">{label}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Puts a text into a field as if it had been typed there. */
function take(id: string, value: string) {
  const field = document.getElementById(id)
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement)) return
  field.value = value
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  field.focus()
}
