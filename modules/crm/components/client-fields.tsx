import type { ReactNode } from 'react'
import type { Zone } from '#app/lib/timezones.ts'
import { SelectField, TextField, type FieldLike } from '#app/ui/forms/field.tsx'
import { TimezoneField } from '#app/ui/forms/timezone-field.tsx'
import { textOf, type Texts } from '#app/lib/edit-conflict.ts'
import type { Labels } from '#app/ui/forms/merge-conflict.tsx'

export type ClientFieldName =
  | 'name'
  | 'email'
  | 'phone'
  | 'location'
  | 'profession'
  | 'timezone'
  | 'program'
  | 'status'
  | 'progress'
  | 'goals'
  | 'notes'
  | 'futureGoals'
  | 'frustrations'
  | 'fears'
  | 'failures'
export type ClientFormFields = Record<ClientFieldName, string>
/** As both edit forms send it. */
export type EditFormFields = ClientFormFields & { version: string; was: string }
type Fields = { [Name in keyof ClientFormFields]: FieldLike }

export type EditedClient = { [Name in ClientFieldName]: string | number | null } & { version: number }

export const clientLabels = [
  ['name', 'Name'],
  ['email', 'Email'],
  ['phone', 'Phone'],
  ['location', 'Location'],
  ['profession', 'Profession'],
  ['timezone', 'Timezone'],
  ['program', 'Program type'],
  ['status', 'Status'],
  ['progress', 'Progress'],
  ['goals', 'Client Goals'],
  ['notes', 'Session Notes & Observations'],
  ['futureGoals', 'Future Goals'],
  ['frustrations', 'Frustrations'],
  ['fears', 'Fears'],
  ['failures', 'Past Failures'],
] as const satisfies Labels<ClientFieldName>

/** A client as a form holds it. */
export function textsOf(client: EditedClient): Texts<ClientFieldName> {
  return Object.fromEntries(clientLabels.map(([name]) => [name, textOf(client[name])])) as Texts<ClientFieldName>
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

/** The program as it is shown: with its duration where it has one. */
export function programLabel(program: string): string {
  return programs.find(({ value }) => value === program)?.label ?? program
}

/** Who the client is. `zones`: those beyond the first 31. `narrow`: one below the other. */
export function ContactFields({ fields, zones, narrow = false }: { fields: Fields; zones: Zone[]; narrow?: boolean }) {
  const program = typeof fields.program.initialValue === 'string' ? fields.program.initialValue : ''
  const own = program && !programs.some(({ value }) => value === program) ? [{ value: program, label: program }] : []
  return (
    <>
      <Pair narrow={narrow}>
        <TextField
          field={{ ...fields.name, required: true, maxLength: 255 }}
          label="Name"
          autoComplete="off"
          data-autofocus
        />
        <TextField
          field={{ ...fields.email, required: true, maxLength: 254 }}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
        />
      </Pair>
      <Pair narrow={narrow}>
        <TextField field={{ ...fields.phone, maxLength: 255 }} label="Phone" type="tel" autoComplete="off" />
        <TextField field={{ ...fields.location, maxLength: 255 }} label="Location" autoComplete="off" />
      </Pair>
      <Pair narrow={narrow}>
        <TextField field={{ ...fields.profession, maxLength: 255 }} label="Profession" autoComplete="off" />
        <TimezoneField field={fields.timezone} zones={zones} />
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

/** Where the work stands. */
export function WorkFields({ fields }: { fields: Fields }) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4">
      <SelectField field={fields.status} label="Status" choices={statuses} />
      <TextField
        field={fields.progress}
        label="Progress"
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
