import type { SubmissionResult } from '@conform-to/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ToastMessage } from '#app/lib/flash.ts'
import { showToast } from '../components/toast-bus.ts'
import { useResultToast } from '../components/toast.tsx'
import { useIsomorphicLayoutEffect } from '../use-isomorphic-layout-effect.ts'
import { markDirty, trackReplacement } from './dirty-forms.ts'

type ActionData = { result?: SubmissionResult<string[]>; toast?: ToastMessage } | undefined

/**
 * Shows the result of a failed submission: focuses the first invalid field, or shows a toast if the user is already
 * editing another field. Form errors are shown in a toast too. Returns the errors of a field; editing it clears them.
 */
export function useFormFeedback(id: string, actionData: ActionData): (name: string) => string[] | undefined {
  const result = actionData?.result
  const hasToast = actionData?.toast !== undefined
  useResultToast(actionData)
  const { badInput, hasMovedOn } = useSubmitState(id)
  const isEdited = useEditedFields(id, result)
  const failed = useRef<HTMLFormElement>(undefined)
  useEffect(() => {
    const form = document.getElementById(id)
    if (!result || !(form instanceof HTMLFormElement)) return
    markDirty(form)
    failed.current = form
    if (!hasMovedOn()) {
      const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"]')
      return (invalid ?? document.getElementById(`${id}-problem`))?.focus()
    }
    const [message] = Object.values(result.error ?? {}).flat()
    if (message && !hasToast) showToast({ tone: 'error', title: 'Error', text: message })
  }, [result, hasToast, id, hasMovedOn])
  // After an edit conflict the saved version replaces the form, with what was typed.
  useEffect(() => {
    const form = document.getElementById(id)
    if (!result || !failed.current || form === failed.current || !(form instanceof HTMLFormElement)) return
    trackReplacement(form, failed.current)
    failed.current = form
  })
  return (name) => {
    if (badInput?.name === name) return [badInput.message]
    return isEdited(name) ? undefined : (result?.error?.[name] ?? undefined)
  }
}

/** Whether a field was edited since the last submission. */
function useEditedFields(id: string, result: SubmissionResult<string[]> | undefined): (name: string) => boolean {
  const [edited, setEdited] = useState<{ result: typeof result; names: ReadonlySet<string> }>({
    result,
    names: new Set(),
  })
  useIsomorphicLayoutEffect(() => {
    if (!result?.error) return
    const onInput = ({ target }: Event) => {
      if (!isField(target) || target.form?.id !== id || !result.error?.[target.name]) return
      setEdited((last) => ({ result, names: new Set([...(last.result === result ? last.names : []), target.name]) }))
    }
    document.addEventListener('input', onInput)
    return () => document.removeEventListener('input', onInput)
  }, [id, result])
  return (name) => edited.result === result && edited.names.has(name)
}

/** A field whose text the browser can't parse, such as an incomplete date. The browser would submit it as empty. */
type BadInput = { name: string; message: string } | undefined

/** `hasMovedOn`: since submitting the form the user has typed, or has focused another field. */
function useSubmitState(id: string): { badInput: BadInput; hasMovedOn: () => boolean } {
  const [badInput, setBadInput] = useState<BadInput>()
  const submission = useRef<{ focused: Element | null; hasTyped: boolean } | null>(null)
  useIsomorphicLayoutEffect(() => {
    const onSubmit = (event: SubmitEvent) => {
      const form = event.target as HTMLFormElement
      if (form.id !== id) return
      submission.current = { focused: document.activeElement, hasTyped: false }
      const input = [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput)
      if (!input) return setBadInput(undefined)
      setBadInput({ name: input.name, message: input.type === 'number' ? 'Enter a number' : 'Enter a complete date' })
      event.preventDefault()
      input.focus()
      markDirty(form)
    }
    const onInput = ({ target }: Event) => {
      if (submission.current) submission.current.hasTyped = true
      if (isField(target)) setBadInput((last) => (last?.name === target.name ? undefined : last))
    }
    document.addEventListener('submit', onSubmit, true)
    document.addEventListener('input', onInput)
    return () => {
      document.removeEventListener('submit', onSubmit, true)
      document.removeEventListener('input', onInput)
    }
  }, [id])
  const hasMovedOn = useCallback(() => {
    const active = document.activeElement
    return (
      submission.current !== null &&
      (active !== submission.current.focused || submission.current.hasTyped) &&
      Boolean(active?.matches('input, textarea, select, [contenteditable]'))
    )
  }, [])
  return { badInput, hasMovedOn }
}

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
