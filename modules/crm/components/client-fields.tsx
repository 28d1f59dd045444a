import type { ReactNode } from 'react'
import type { Timezone } from '#app/lib/timezones.ts'
import { SelectField, TextField, type FieldState } from '#app/ui/forms/field.tsx'
import { TimezoneField } from '#app/ui/forms/timezone-field.tsx'
import { toFieldText, type FieldTexts } from '#app/lib/edit-conflict.ts'
import type { FieldLabels } from '#app/ui/forms/merge-conflict.tsx'
import { clientFieldNames, clientFields, type ClientField } from '../fields.ts'

export type ClientFormFields = Record<ClientField, string>
/** The fields of both edit forms. */
export type EditFormFields = ClientFormFields & { version: string; was: string }
type Fields = { [Name in ClientField]: FieldState }

export type EditedClient = { [Name in ClientField]: string | number | null } & { version: number }

export const clientLabels: FieldLabels<ClientField> = clientFieldNames.map((name) => [name, clientFields[name].label])

export function toFormValues(client: EditedClient): FieldTexts<ClientField> {
  const values = clientFieldNames.map((name) => [name, toFieldText(client[name])])
  return Object.fromEntries(values) as FieldTexts<ClientField>
}

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
        <TextField
          field={{ ...fields.name, required: true, maxLength: 255 }}
          label={clientFields.name.label}
          autoComplete="off"
          data-autofocus
        />
        <TextField
          field={{ ...fields.email, required: true, maxLength: 254 }}
          label={clientFields.email.label}
          type="email"
          inputMode="email"
          autoComplete="off"
        />
      </Pair>
      <Pair narrow={narrow}>
        <TextField
          field={{ ...fields.phone, maxLength: 255 }}
          label={clientFields.phone.label}
          type="tel"
          autoComplete="off"
        />
        <TextField
          field={{ ...fields.location, maxLength: 255 }}
          label={clientFields.location.label}
          autoComplete="off"
        />
      </Pair>
      <Pair narrow={narrow}>
        <TextField
          field={{ ...fields.profession, maxLength: 255 }}
          label={clientFields.profession.label}
          autoComplete="off"
        />
        <TimezoneField field={fields.timezone} zones={timezones} />
      </Pair>
      <SelectField field={fields.program} label={clientFields.program.label} choices={[...custom, ...programs]}>
        <option value="">No program yet</option>
      </SelectField>
    </>
  )
}

const statuses = Object.entries(clientFields.status.choices).map(([value, label]) => ({ value, label }))

export function WorkFields({ fields }: { fields: Fields }) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4">
      <SelectField field={fields.status} label={clientFields.status.label} choices={statuses} />
      <TextField
        field={fields.progress}
        label={clientFields.progress.label}
        hint="0 to 100"
        type="number"
        inputMode="numeric"
        min={0}
        max={100}
        step={1}
      />
    </div>
  )
}

function Pair({ narrow = false, children }: { narrow?: boolean; children: ReactNode }) {
  return <div className={`grid gap-4 ${narrow ? '' : 'sm:grid-cols-2'}`}>{children}</div>
}
