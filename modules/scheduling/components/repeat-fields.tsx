import { SelectField, TextField } from '#app/ui/forms/field.tsx'
import type { ServerForm } from '#app/ui/forms/use-server-form.ts'
import { repeatChoices, type scheduleFormFields } from '../fields.ts'

type Fields = Pick<ServerForm<typeof scheduleFormFields>['fields'], 'repeat' | 'repeatCount' | 'repeatUntil'>

/** How an appointment repeats. Its end is shown once it does, by the style sheet. */
export function RepeatFields({ repeat, repeatCount, repeatUntil }: Fields) {
  return (
    <div className="repeat grid gap-4">
      <SelectField field={repeat} choices={Object.entries(repeatChoices).map(([value, label]) => ({ value, label }))}>
        <option value="">Does not repeat</option>
      </SelectField>
      <div className="repeat-end grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField field={repeatCount} inputMode="numeric" autoComplete="off" />
        <TextField field={repeatUntil} type="date" min="1900-02-01" max="2200-11-30" />
        <p className="hint sm:col-span-2">
          At most 104 sessions within two years, always at the same local time. Monthly ones are on the last day of
          shorter months.
        </p>
      </div>
    </div>
  )
}
