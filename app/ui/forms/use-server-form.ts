import type { SubmissionResult } from '@conform-to/react'
import { useActionData, useNavigation } from '@remix-run/react'
import type { ErrorCode } from '#app/lib/errors.ts'
import { toChoices, type Choice, type Fields } from '#app/lib/fields.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import type { FieldState } from './field.tsx'
import { useFormFeedback } from './use-form-feedback.ts'
import { useFetcher } from './use-fetcher.ts'

/** The data of a failed action made by `formActions`. */
type ActionData =
  | {
      result?: SubmissionResult<string[]>
      toast?: ToastMessage
      error?: { code: ErrorCode; subject?: string | undefined }
    }
  | undefined
type Options<F extends Fields> = { id: string; intent: string; values?: Partial<Record<keyof F, string>> }

/** The state of an input. Label and choices come from the record's fields. */
export type FormField = FieldState & { label: string; choices: Choice[] | undefined }
export type ServerForm<F extends Fields> = {
  /** `props` turn off the browser's own validation messages. */
  form: {
    props: { id: string; noValidate: true }
    errorId: string
    errors: string[] | undefined
    error: { code: ErrorCode; subject?: string | undefined } | undefined
  }
  fields: { [N in keyof F]: FormField }
  /** The submitted values, after a failure. */
  submitted: Record<string, unknown> | undefined
  busy: boolean
}

/**
 * The state of a form whose action is made by `formActions`: value and error of each field. Validation stays on the
 * server.
 */
export function useServerForm<const F extends Fields>(fields: F, options: Options<F>): ServerForm<F> {
  const actionData = useActionData<ActionData>()
  const navigation = useNavigation()
  return useFormState(fields, options, actionData, navigation.state === 'idle' ? undefined : navigation.formData)
}

/** As `useServerForm`, submitted by a fetcher, without navigation. Without JavaScript it is an ordinary form. */
export function useFetcherForm<const F extends Fields>(fields: F, options: Options<F>) {
  const fetcher = useFetcher<ActionData>({ key: options.id })
  const pageData = useActionData<ActionData>()
  const submitting = fetcher.state === 'idle' ? undefined : fetcher.formData
  return { ...useFormState(fields, options, fetcher.data ?? pageData, submitting), fetcher }
}

function useFormState<F extends Fields>(
  fields: F,
  { id, intent, values = {} }: Options<F>,
  actionData: ActionData,
  submitting: FormData | undefined,
): ServerForm<F> {
  const ownData = actionData?.result?.initialValue?.intent === intent ? actionData : undefined
  const result = ownData?.result
  const getErrors = useFormFeedback(id, ownData)
  const initialValues = result ? result.initialValue : (values as Record<string, string>)
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    {
      id: `${id}-${name}`,
      name,
      label: field.label,
      required: field.required !== undefined || undefined,
      maxLength: field.kind === 'line' ? (field.max ?? 255) : undefined,
      choices: 'choices' in field ? toChoices(field.choices) : undefined,
      errors: getErrors(name),
      initialValue: initialValues?.[name],
    },
  ])
  return {
    form: {
      props: { id, noValidate: true },
      errorId: `${id}-problem`,
      errors: result?.error?.[''] ?? undefined,
      error: ownData?.error,
    },
    fields: Object.fromEntries(entries) as ServerForm<F>['fields'],
    submitted: result?.initialValue ?? undefined,
    busy: submitting?.get('intent') === intent,
  }
}
