import { useForm } from '@conform-to/react'
import { useActionData, useNavigation } from '@remix-run/react'
import type { SubmissionResult } from '@conform-to/react'
import type { ToastMessage } from '../lib/flash.ts'
import { useToastOf } from './toast.tsx'

type Answer = { result?: SubmissionResult<string[]>; toast?: ToastMessage } | undefined

/**
 * The state of a form that an action of `submit` answers: what each field held and what is wrong with it. The server
 * checks; focus goes to the first field with an error; a refusal of the form as a whole is also said in a toast.
 * `intent` tells several forms of one page apart.
 */
export function useServerForm<Fields extends Record<string, unknown>>(options: {
  id: string
  values?: { [Name in keyof Fields]?: string | null | undefined }
  intent?: string
}) {
  const answer = useActionData<Answer>()
  const navigation = useNavigation()
  const mine = answer && 'result' in answer && (!options.intent || answer.result?.initialValue?.intent === options.intent)
  useToastOf(mine ? answer : undefined)
  const [form, fields] = useForm<Fields>({
    id: options.id,
    lastResult: mine && navigation.state === 'idle' ? answer.result : null,
    defaultValue: options.values as never,
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onSubmit',
  })
  const sent = navigation.formData
  const busy = navigation.state !== 'idle' && Boolean(sent) && (!options.intent || sent?.get('intent') === options.intent)
  return { form, fields, busy }
}
