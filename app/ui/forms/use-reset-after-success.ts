import { useActionData } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { markClean } from './dirty-forms.ts'

/** Empties a form that stays on the page, such as one with passwords, once its action has succeeded. */
export function useResetAfterSuccess(formId: string, busy: boolean): void {
  const hasFailed = useActionData() !== undefined
  const wasBusy = useRef(false)
  useEffect(() => {
    if (wasBusy.current && !busy && !hasFailed) empty(document.getElementById(formId))
    wasBusy.current = busy
  }, [formId, busy, hasFailed])
}

function empty(form: HTMLElement | null): void {
  if (!(form instanceof HTMLFormElement)) return
  form.reset()
  // For what is shown beside a field, such as the strength of a password.
  for (const field of form.elements) field.dispatchEvent(new Event('input', { bubbles: true }))
  markClean(form)
}
