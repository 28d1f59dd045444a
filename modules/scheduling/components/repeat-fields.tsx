import { SelectField, TextField } from '#app/ui/forms/field.tsx'
import type { ServerForm } from '#app/ui/forms/use-server-form.ts'
import { weekdays as names } from '../availability/hours.ts'
import { repeatChoices, type scheduleFormFields } from '../fields.ts'

type Fields = Pick<ServerForm<typeof scheduleFormFields>['fields'], 'repeat' | 'repeatCount' | 'repeatUntil'> & {
  /** In the coach's order; 0 is Sunday. */
  weekdays: number[]
  /** Those that were chosen, after a failure. */
  chosen: unknown
}

/** How an appointment repeats. Its end is shown once it does, by the style sheet. */
export function RepeatFields({ repeat, repeatCount, repeatUntil, weekdays, chosen }: Fields) {
  return (
    <div className="repeat grid gap-4">
      <SelectField field={repeat} choices={Object.entries(repeatChoices).map(([value, label]) => ({ value, label }))}>
        <option value="">Does not repeat</option>
      </SelectField>
      <fieldset className="repeat-days">
        <legend className="label">Also on</legend>
        <div className="mt-1.5 flex flex-wrap gap-x-4 gap-y-2">
          {weekdays.map((day) => (
            <label key={day} className="flex items-center gap-2">
              <input
                type="checkbox"
                name="repeatWeekdays"
                value={day}
                className="check"
                defaultChecked={[chosen].flat().includes(String(day))}
              />
              <abbr title={names[day]!} className="no-underline">
                {names[day]!.slice(0, 3)}
              </abbr>
            </label>
          ))}
        </div>
      </fieldset>
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
