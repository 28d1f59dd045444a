import type { ReactNode } from 'react'
import { firstZones, type Zone } from '#app/lib/timezones.ts'
import { SelectField, TextAreaField, TextField, type FieldLike } from '#app/ui/field.tsx'

export type ClientFormFields = Record<
  | 'name' | 'email' | 'phone' | 'location' | 'profession' | 'timezone' | 'program' | 'status' | 'progress'
  | 'goals' | 'notes' | 'futureGoals' | 'frustrations' | 'fears' | 'failures',
  string
>
type Fields = { [Name in keyof ClientFormFields]: FieldLike }

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

/** The program as it is shown: with its duration where it has one. */
export function programLabel(program: string): string {
  return programs.find(({ value }) => value === program)?.label ?? program
}

/** Who the client is: the fields of both dialogs. `zones`: those beyond the first 31. */
export function ContactFields({ fields, zones }: { fields: Fields; zones: Zone[] }) {
  const program = typeof fields.program.initialValue === 'string' ? fields.program.initialValue : ''
  const own = program && !programs.some(({ value }) => value === program) ? [{ value: program, label: program }] : []
  return (
    <>
      <Pair>
        <TextField field={{ ...fields.name, required: true, maxLength: 255 }} label="Name" autoComplete="off" data-autofocus />
        <TextField field={{ ...fields.email, required: true, maxLength: 254 }} label="Email" type="email" inputMode="email" autoComplete="off" />
      </Pair>
      <Pair>
        <TextField field={{ ...fields.phone, maxLength: 255 }} label="Phone" type="tel" autoComplete="off" />
        <TextField field={{ ...fields.location, maxLength: 255 }} label="Location" autoComplete="off" />
      </Pair>
      <Pair>
        <TextField field={{ ...fields.profession, maxLength: 255 }} label="Profession" autoComplete="off" />
        <SelectField
          field={fields.timezone}
          label="Timezone"
          choices={[{ label: 'Common', choices: firstZones }, ...(zones.length ? [{ label: 'All time zones', choices: zones }] : [])]}
        >
          <option value="">Not known</option>
        </SelectField>
      </Pair>
      <SelectField field={fields.program} label="Program type" choices={[...own, ...programs]}>
        <option value="">No program yet</option>
      </SelectField>
    </>
  )
}

const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'completed', label: 'Completed' },
  { value: 'pending', label: 'Pending' },
]

/** Where the work stands, for the Edit dialog. */
export function WorkFields({ fields }: { fields: Fields }) {
  return (
    <Pair>
      <SelectField field={fields.status} label="Status" choices={statuses} />
      <TextField field={fields.progress} label="Progress" hint="A whole number from 0 to 100" type="number" inputMode="numeric" min={0} max={100} step={1} />
    </Pair>
  )
}

/** One of the texts that people write; up to 50,000 characters. */
export function WordsField({ field, label, rows = 3, hint }: { field: FieldLike; label: string; rows?: number; hint?: string }) {
  return <TextAreaField field={field} label={label} hint={hint} rows={rows} className="words" />
}

function Pair({ children }: { children: ReactNode }) {
  return <div className="grid gap-4 sm:grid-cols-2">{children}</div>
}
