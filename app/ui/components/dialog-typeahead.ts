import { useNavigation } from '@remix-run/react'
import { useEffect } from 'react'

/** Text typed while a dialog was loading. */
let typeahead = ''

/** Collects what the user types between following a link to a dialog and its arrival, instead of losing it. */
export function useDialogTypeahead(): void {
  const { location, formMethod } = useNavigation()
  const isOpening = !formMethod && location !== undefined && new URLSearchParams(location.search).has('dialog')
  useEffect(() => {
    if (!isOpening) return
    typeahead = ''
    const onKeyDown = (event: KeyboardEvent) => {
      const isTextKey = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (isInTextField(event.target) || (!isTextKey && event.key !== 'Backspace')) return
      event.preventDefault()
      event.stopPropagation()
      typeahead = isTextKey ? typeahead + event.key : typeahead.slice(0, -1)
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [isOpening])
}

/** Enters the collected text into the first field of a dialog that has just opened. */
export function enterTypeahead(field: Element | null): void {
  const text = typeahead
  typeahead = ''
  if (!text || !(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  if (!isInTextField(field) || field.value) return
  // An email or number field has no selection.
  if (field.selectionStart === null) field.value = text
  else field.setRangeText(text, 0, 0, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

const isInTextField = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.matches('textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="date"])')
