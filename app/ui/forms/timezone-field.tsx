import { firstZones, type Zone } from '#app/lib/timezones.ts'
import { SelectField, type FieldLike } from './field.tsx'

/** The timezone of somebody, which may not be known. `zones`: those beyond the first 31. */
export function TimezoneField({ field, zones }: { field: FieldLike; zones: Zone[] }) {
  return (
    <SelectField
      field={field}
      label="Timezone"
      choices={[
        { label: 'Common', choices: firstZones },
        ...(zones.length ? [{ label: 'All time zones', choices: zones }] : []),
      ]}
    >
      <option value="">Not known</option>
    </SelectField>
  )
}
