import type { SubmissionResult } from '@conform-to/react'
import { useActionData, useFetcher, useNavigation } from '@remix-run/react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { ToastMessage } from '../lib/flash.ts'
import type { FieldLike } from './field.tsx'
import { useToastOf } from './toast.tsx'
import { stillUnsaved } from './unsaved.tsx'

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
 * schemas stay out of the browser. After a refusal the first field with an error has the focus, unless somebody has gone on to another one; what is about
 * no field is also said in a toast. `intent` tells several forms of one page apart.
 */
export function useServerForm<Fields>(options: { id: string; values?: Values<Fields>; intent?: string }): ServerForm<Fields> {
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
  return { ...useAnswered<Fields>(options, fetcher.data ?? asPage, fetcher.state === 'idle' ? undefined : fetcher.formData), fetcher }
}

function useAnswered<Fields>(
  { id, values, intent }: { id: string; values?: Values<Fields>; intent?: string },
  answer: Answer,
  sent: FormData | undefined,
): ServerForm<Fields> {
  const result = answer?.result
  const mine = result && (!intent || result.initialValue?.intent === intent) ? result : undefined
  useToastOf(mine ? answer : undefined)
  const { unread, sentFrom } = useSending(id)
  useEffect(() => {
    const form = document.getElementById(id)
    if (!mine || !(form instanceof HTMLFormElement)) return
    stillUnsaved(form)
    const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"]') ?? document.getElementById(`${id}-problem`)
    // Who has gone on to another field meanwhile types there.
    const now = document.activeElement
    const wentOn = now !== sentFrom.current && form.contains(now) && now?.matches('input, textarea, select, [contenteditable]')
    if (!wentOn) wrong?.focus()
  }, [mine, id, sentFrom])

  const fieldOf = (name: string): FieldLike => ({
    id: `${id}-${name}`,
    name,
    errors: unread?.name === name ? [unread.sentence] : (mine?.error?.[name] ?? undefined),
    initialValue: mine ? mine.initialValue?.[name] : values?.[name as keyof Fields],
  })
  const fields = new Proxy({}, { get: (_, name) => fieldOf(String(name)) }) as ServerForm<Fields>['fields']
  const busy = sent !== undefined && (!intent || sent.get('intent') === intent)
  return { form: { props: { id, noValidate: true }, errorId: `${id}-problem`, errors: mine?.error?.[''] ?? undefined }, fields, busy }
}

/**
 * `unread`: the field whose text the browser can't make a value of, such as half a date: it would be sent as an empty one.
 * `sentFrom`: what had the focus when the form was last sent.
 */
function useSending(id: string): { unread: { name: string; sentence: string } | undefined; sentFrom: RefObject<Element | null> } {
  const [unread, setUnread] = useState<{ name: string; sentence: string }>()
  const sentFrom = useRef<Element | null>(null)
  useEffect(() => {
    const onSubmit = (event: SubmitEvent) => {
      const form = event.target as HTMLFormElement
      if (form.id !== id) return
      sentFrom.current = document.activeElement
      const field = [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput)
      setUnread(field && { name: field.name, sentence: field.type === 'number' ? 'Enter a number' : 'Enter a whole date' })
      if (!field) return
      event.preventDefault()
      field.focus()
      stillUnsaved(form)
    }
    document.addEventListener('submit', onSubmit, true)
    return () => document.removeEventListener('submit', onSubmit, true)
  }, [id])
  return { unread, sentFrom }
}
