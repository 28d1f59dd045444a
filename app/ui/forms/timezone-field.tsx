import { commonTimezones, type Timezone } from '#app/lib/timezones.ts'
import { SelectField, type FieldState } from './field.tsx'

/** An optional timezone. `zones`: all timezones that aren't in `commonTimezones`. */
export function TimezoneField({ field, zones }: { field: FieldState; zones: Timezone[] }) {
  return (
    <SelectField
      field={field}
      label="Time zone"
      choices={[
        { label: 'Common', choices: commonTimezones },
        ...(zones.length ? [{ label: 'All time zones', choices: zones }] : []),
      ]}
    >
      <option value="">Not set</option>
    </SelectField>
  )
}
