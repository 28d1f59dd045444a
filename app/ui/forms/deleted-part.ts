import { useActionData } from '@remix-run/react'

type Submitted = Record<string, unknown>

/**
 * For the form of a part of a record, such as a question of a form: what was submitted after another tab had deleted the
 * part, to be shown in the form of a new one. Otherwise null.
 */
export function useDeletedPart(intent: string, isThere: boolean): Submitted | null {
  const submitted = useActionData<{ result?: { initialValue?: Submitted | null } }>()?.result?.initialValue
  return !isThere && submitted?.intent === intent ? submitted : null
}

/** `values`, with those that were submitted. */
export function withSubmitted<V extends Record<string, string>>(values: V, submitted: Submitted | null): V {
  const entries = Object.entries(values).map(([name, value]) => {
    const text = submitted?.[name]
    return [name, typeof text === 'string' ? text : submitted ? '' : value]
  })
  return Object.fromEntries(entries) as V
}

/** `noun`: 'question'. */
export const deletedPartErrors = (noun: string): string[] => [
  `This ${noun} was deleted in another tab. Save it to add it again.`,
]
