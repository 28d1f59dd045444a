import type { Fields } from '#app/lib/fields.ts'
import type { ServerForm } from '#app/ui/forms/use-server-form.ts'

/** Whether the form was rejected because another session is at that time. */
export const isOverlap = ({ form }: Pick<ServerForm<Fields>, 'form'>): boolean => form.error?.subject === 'overlap'

/** After the warning: confirms the times that were submitted. Other times are checked again. */
export function OverlapConfirmation({ state }: { state: Pick<ServerForm<Fields>, 'form' | 'submitted'> }) {
  if (!isOverlap(state)) return null
  const times = ['date', 'startTime', 'endDate', 'endTime'].map((name) => String(state.submitted?.[name] ?? ''))
  return <input type="hidden" name="overlap" value={times.join(' ')} />
}
