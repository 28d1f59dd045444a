import type { SubmissionResult } from '@conform-to/react'
import { useActionData, useFetcher, useNavigation } from '@remix-run/react'
import type { ErrorCode } from '#app/lib/errors.ts'
import { choicesOf, type Choice, type Fields } from '#app/lib/fields.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import type { FieldLike } from './field.tsx'
import { useFormFeedback } from './form.ts'

/** What an action made by `formActions` returns on failure. */
type Answer =
  | {
      result?: SubmissionResult<string[]>
      toast?: ToastMessage
      error?: { code: ErrorCode; subject?: string | undefined }
    }
  | undefined
type Options<F extends Fields> = { id: string; intent: string; values?: Partial<Record<keyof F, string>> }

/** What an input needs. Label and choices come from the record's fields. */
export type FormField = FieldLike & { label: string; choices: Choice[] | undefined }
export type ServerForm<F extends Fields> = {
  form: {
    props: { id: string; noValidate: true }
    errorId: string
    errors: string[] | undefined
    error: { code: ErrorCode; subject?: string | undefined } | undefined
  }
  fields: { [N in keyof F]: FormField }
  /** What was sent, after a failure. */
  sent: Record<string, unknown> | undefined
  busy: boolean
}

/** The state of a form whose action is made by `formActions`: value and error of each field. Validation stays on the server. */
export function useServerForm<const F extends Fields>(fields: F, options: Options<F>): ServerForm<F> {
  const answer = useActionData<Answer>()
  const navigation = useNavigation()
  return useAnswered(fields, options, answer, navigation.state === 'idle' ? undefined : navigation.formData)
}

/** As `useServerForm`, submitted by a fetcher, without navigation. Without JavaScript it is an ordinary form. */
export function useFetcherForm<const F extends Fields>(fields: F, options: Options<F>) {
  const fetcher = useFetcher<Answer>({ key: options.id })
  const asPage = useActionData<Answer>()
  return {
    ...useAnswered(fields, options, fetcher.data ?? asPage, fetcher.state === 'idle' ? undefined : fetcher.formData),
    fetcher,
  }
}

function useAnswered<F extends Fields>(
  fields: F,
  { id, intent, values = {} }: Options<F>,
  answer: Answer,
  sending: FormData | undefined,
): ServerForm<F> {
  const mine = answer?.result?.initialValue?.intent === intent ? answer : undefined
  const result = mine?.result
  const unread = useFormFeedback(id, mine)
  const held = result ? result.initialValue : (values as Record<string, string>)
  const described = Object.entries(fields).map(([name, field]) => [
    name,
    {
      id: `${id}-${name}`,
      name,
      label: field.label,
      required: field.required !== undefined || undefined,
      maxLength: field.kind === 'line' ? (field.max ?? 255) : undefined,
      choices: 'choices' in field ? choicesOf(field.choices) : undefined,
      errors: unread?.name === name ? [unread.sentence] : (result?.error?.[name] ?? undefined),
      initialValue: held?.[name],
    },
  ])
  return {
    form: {
      props: { id, noValidate: true },
      errorId: `${id}-problem`,
      errors: result?.error?.[''] ?? undefined,
      error: mine?.error,
    },
    fields: Object.fromEntries(described) as ServerForm<F>['fields'],
    sent: result?.initialValue ?? undefined,
    busy: sending?.get('intent') === intent,
  }
}
