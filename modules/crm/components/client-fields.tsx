import type { ReactNode } from 'react'
import type { Timezone } from '#app/lib/timezones.ts'
import { SelectField, TextField } from '#app/ui/forms/field.tsx'
import { TimezoneField } from '#app/ui/forms/timezone-field.tsx'
import type { ServerForm } from '#app/ui/forms/use-server-form.ts'
import type { clientFields } from '../fields.ts'

type Fields = ServerForm<typeof clientFields>['fields']

// Source: part-1 §9.
const programs = [
  { value: 'Executive Leadership', label: 'Executive Leadership, 3-month' },
  { value: 'Career Transition', label: 'Career Transition, 4-month' },
  { value: 'Startup Mentorship', label: 'Startup Mentorship, 6-month' },
  { value: 'Life Coaching', label: 'Life Coaching' },
  { value: 'Business Coaching', label: 'Business Coaching' },
  { value: 'Health & Wellness', label: 'Health & Wellness' },
  { value: 'Relationship Coaching', label: 'Relationship Coaching' },
]

/** The program with its duration, if it has one. */
export function programLabel(program: string): string {
  return programs.find(({ value }) => value === program)?.label ?? program
}

/** `timezones`: those beyond the common ones. `narrow`: in a single column. */
export function ContactFields({
  fields,
  timezones,
  narrow = false,
}: {
  fields: Fields
  timezones: Timezone[]
  narrow?: boolean
}) {
  const program = typeof fields.program.initialValue === 'string' ? fields.program.initialValue : ''
  const custom = program && !programs.some(({ value }) => value === program) ? [{ value: program, label: program }] : []
  return (
    <>
      <Pair narrow={narrow}>
        <TextField field={fields.name} autoComplete="off" data-autofocus />
        <TextField field={{ ...fields.email, maxLength: 254 }} type="email" inputMode="email" autoComplete="off" />
      </Pair>
      <Pair narrow={narrow}>
        <TextField field={fields.phone} type="tel" autoComplete="off" />
        <TextField field={fields.location} autoComplete="off" />
      </Pair>
      <Pair narrow={narrow}>
        <TextField field={fields.profession} autoComplete="off" />
        <TimezoneField field={fields.timezone} zones={timezones} />
      </Pair>
      <SelectField field={fields.program} choices={[...custom, ...programs]}>
        <option value="">No program yet</option>
      </SelectField>
      <TextField field={fields.tags} hint="Separated by commas" autoComplete="off" />
    </>
  )
}

export function WorkFields({ fields }: { fields: Fields }) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4">
      <SelectField field={fields.status} />
      <TextField field={fields.progress} hint="0 to 100" type="number" inputMode="numeric" min={0} max={100} step={1} />
    </div>
  )
}

function Pair({ narrow = false, children }: { narrow?: boolean; children: ReactNode }) {
  return <div className={`grid gap-4 ${narrow ? '' : 'sm:grid-cols-2'}`}>{children}</div>
}
