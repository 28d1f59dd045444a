import type { SubmissionResult } from '@conform-to/react'
import { useActionData, useFetcher, useNavigation } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ToastMessage } from '#app/lib/flash.ts'
import type { FieldLike } from './field.tsx'
import { say } from '../components/toast-bus.ts'
import { useToastOf } from '../components/toast.tsx'
import { stillUnsaved } from './unsaved-changes.tsx'

type Answer = { result?: SubmissionResult<string[]>; toast?: ToastMessage } | undefined
type Values<Fields> = { [Name in keyof Fields]?: string | null | undefined }

export type ServerForm<Fields> = {
  /** `props` are of the form itself: it says in our words what is wrong, not in the browser's. */
  form: { props: { id: string; noValidate: true }; errorId: string; errors: string[] | undefined }
  /** One FieldLike for every name. */
  fields: { [Name in keyof Fields]-?: FieldLike }
  busy: boolean
}

/**
 * The state of a form whose action is a `submit`: what each field held and what is wrong with it. The server checks, so the
 * schemas stay out of the browser. After a refusal the first field with an error has the focus; whoever types elsewhere by
 * then is told in a toast, and so is what is about no field. `intent` tells several forms of one page apart.
 */
export function useServerForm<Fields>(options: {
  id: string
  values?: Values<Fields>
  intent?: string
}): ServerForm<Fields> {
  const answer = useActionData<Answer>()
  const navigation = useNavigation()
  return useAnswered<Fields>(options, answer, navigation.state === 'idle' ? undefined : navigation.formData)
}

/**
 * As `useServerForm`, for a form that a fetcher sends: the page stays where it is. Sent before scripts have loaded, it gets its
 * answer as a page of its own.
 */
export function useFetcherForm<Fields>(options: { id: string; values?: Values<Fields>; intent?: string }) {
  const fetcher = useFetcher<Answer>({ key: options.id })
  const asPage = useActionData<Answer>()
  return {
    ...useAnswered<Fields>(options, fetcher.data ?? asPage, fetcher.state === 'idle' ? undefined : fetcher.formData),
    fetcher,
  }
}

function useAnswered<Fields>(
  { id, values, intent }: { id: string; values?: Values<Fields>; intent?: string },
  answer: Answer,
  sent: FormData | undefined,
): ServerForm<Fields> {
  const result = answer?.result
  const mine = result && (!intent || result.initialValue?.intent === intent) ? result : undefined
  const unread = useFormFeedback(id, mine && answer)

  const fieldOf = (name: string): FieldLike => ({
    id: `${id}-${name}`,
    name,
    errors: unread?.name === name ? [unread.sentence] : (mine?.error?.[name] ?? undefined),
    initialValue: mine ? mine.initialValue?.[name] : values?.[name as keyof Fields],
  })
  const fields = new Proxy({}, { get: (_, name) => fieldOf(String(name)) }) as ServerForm<Fields>['fields']
  const busy = sent !== undefined && (!intent || sent.get('intent') === intent)
  return {
    form: { props: { id, noValidate: true }, errorId: `${id}-problem`, errors: mine?.error?.[''] ?? undefined },
    fields,
    busy,
  }
}

/**
 * After a refusal the first field with an error has the focus; whoever types elsewhere by then is told in a toast, and so is what is
 * about no field. Answers the field whose text the browser can't make a value of.
 */
export function useFormFeedback(id: string, answer: Answer): { name: string; sentence: string } | undefined {
  const mine = answer?.result
  const isTold = answer?.toast !== undefined
  useToastOf(answer)
  const { unread, wentOn } = useSending(id)
  useEffect(() => {
    const form = document.getElementById(id)
    if (!mine || !(form instanceof HTMLFormElement)) return
    stillUnsaved(form)
    const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"]') ?? document.getElementById(`${id}-problem`)
    if (!wentOn()) return wrong?.focus()
    const [sentence] = Object.values(mine.error ?? {}).flat()
    if (sentence && !isTold) say({ tone: 'error', title: 'Error', text: sentence })
  }, [mine, isTold, id, wentOn])
  return unread
}

/**
 * `unread`: the field whose text the browser can't make a value of, such as half a date: it would be sent as an empty one.
 * `wentOn`: since the form was sent somebody has begun to type, or has gone to another field to do so.
 */
function useSending(id: string): { unread: { name: string; sentence: string } | undefined; wentOn: () => boolean } {
  const [unread, setUnread] = useState<{ name: string; sentence: string }>()
  const sent = useRef<{ from: Element | null; typed: boolean } | null>(null)
  useEffect(() => {
    const onSubmit = (event: SubmitEvent) => {
      const form = event.target as HTMLFormElement
      if (form.id !== id) return
      sent.current = { from: document.activeElement, typed: false }
      const field = [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput)
      setUnread(
        field && { name: field.name, sentence: field.type === 'number' ? 'Enter a number' : 'Enter a whole date' },
      )
      if (!field) return
      event.preventDefault()
      field.focus()
      stillUnsaved(form)
    }
    const onInput = () => {
      if (sent.current) sent.current.typed = true
    }
    document.addEventListener('submit', onSubmit, true)
    document.addEventListener('input', onInput)
    return () => {
      document.removeEventListener('submit', onSubmit, true)
      document.removeEventListener('input', onInput)
    }
  }, [id])
  const wentOn = useCallback(() => {
    const now = document.activeElement
    return (
      sent.current !== null &&
      (now !== sent.current.from || sent.current.typed) &&
      Boolean(now?.matches('input, textarea, select, [contenteditable]'))
    )
  }, [])
  return { unread, wentOn }
}
