import type { Fields } from '#app/lib/fields.ts'
import type { ServerForm } from '#app/ui/forms/use-server-form.ts'
import { overlapFields } from '../fields.ts'

/** Whether the form was rejected because another session is at that time. */
export const isOverlap = ({ form }: Pick<ServerForm<Fields>, 'form'>): boolean => form.error?.subject === 'overlap'

/** After the warning: confirms the values that were submitted. Other ones are checked again. */
export function OverlapConfirmation({ state }: { state: Pick<ServerForm<Fields>, 'form' | 'submitted'> }) {
  if (!isOverlap(state)) return null
  const values = overlapFields.map((name) => String(state.submitted?.[name] ?? ''))
  return <input type="hidden" name="overlap" value={values.join(' ')} />
}
