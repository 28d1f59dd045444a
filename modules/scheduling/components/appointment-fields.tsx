import { useLocation } from '@remix-run/react'
import type { FormEvent } from 'react'
import { SelectField, TextAreaField, TextField, type Choice } from '#app/ui/forms/field.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import type { ServerForm } from '#app/ui/forms/form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import type { Choices } from '../dialogs.ts'
import { minutesOf, timeFrom } from '../day-segments.ts'
import { appointmentStatuses, statusWords } from '../statuses.ts'
import { clockWords } from '../format.ts'

export type AppointmentFieldName =
  | 'title'
  | 'attendee'
  | 'type'
  | 'date'
  | 'startTime'
  | 'endDate'
  | 'endTime'
  | 'meetingUrl'
  | 'description'
  | 'status'
export const statusChoices = appointmentStatuses.map((value) => ({ value, label: statusWords[value] }))

// Every 15 minutes over 24 hours: part-2 §2.
const starts: Choice[] = Array.from({ length: 96 }, (_, nth) => timeFrom(nth * 15)).map((value) => ({
  value,
  label: clockWords(value),
}))
const ends: Choice[] = [...starts.slice(1), { value: '24:00', label: '12:00 AM, midnight' }]

/** What an appointment is made of. An end that no longer follows its start moves along with it. */
export function AppointmentFields({
  fields,
  choices,
  zone,
  spans,
}: {
  fields: ServerForm<Record<AppointmentFieldName, string>>['fields']
  choices: Choices
  zone: string
  spans: boolean
}) {
  const start = textOf(fields.startTime.initialValue)
  const found = choices.clients.length + choices.prospects.length
  const end = textOf(fields.endTime.initialValue)
  return (
    <>
      <TextField field={{ ...fields.title, maxLength: 255 }} label="Title" autoComplete="off" data-autofocus />
      <SelectField
        field={fields.attendee}
        label="Client or prospect"
        hint={
          choices.more
            ? 'The first hundred by name. Find the others by theirs.'
            : !found && !choices.who && <NobodyYet />
        }
      >
        {/* Who was looked for and found alone is meant. */}
        {(found !== 1 || !choices.who) && (
          <option value="">{found ? 'Choose who it is with' : choices.who ? 'Nobody found' : 'Nobody yet'}</option>
        )}
        {choices.clients.length > 0 && <Options label="Clients" choices={choices.clients} />}
        {choices.prospects.length > 0 && <Options label="Prospects" choices={choices.prospects} />}
      </SelectField>
      <div
        className={`grid grid-cols-2 gap-4 ${spans ? '' : 'sm:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1fr)]'}`}
      >
        <TextField
          field={fields.date}
          fieldClass={spans ? '' : 'max-sm:col-span-2'}
          label={spans ? 'Start date' : 'Date'}
          type="date"
          min="1900-02-01"
          max="2200-11-30"
        />
        <SelectField
          field={fields.startTime}
          label="Start time"
          choices={withOwn(starts, start)}
          onChange={keepLength}
          data-was={start}
        />
        {spans && <TextField field={fields.endDate} label="End date" type="date" min="1900-02-01" max="2200-11-30" />}
        <SelectField
          field={fields.endTime}
          label="End time"
          choices={withOwn(spans ? [starts[0]!, ...ends] : ends, end)}
        />
      </div>
      <p className="hint -mt-2">Times are in your timezone: {zone}.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField field={fields.type} label="Appointment type">
          <option value="">No type</option>
          {choices.types.map(option)}
          {choices.suggested.length > 0 && <Options label="Suggested" choices={choices.suggested} />}
        </SelectField>
        <SelectField field={fields.status} label="Status" choices={statusChoices} />
      </div>
      <TextField
        field={{ ...fields.meetingUrl, maxLength: 2000 }}
        label="Meeting URL"
        type="url"
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
      />
      <TextAreaField field={fields.description} label="Description" rows={3} />
    </>
  )
}

function NobodyYet() {
  return (
    <>
      Nobody is here yet.{' '}
      <Link to="/clients?dialog=add" className="link">
        Add a client
      </Link>{' '}
      or{' '}
      <Link to="/pipeline?dialog=add" className="link">
        a prospect
      </Link>{' '}
      first.
    </>
  )
}

/** Of very many people one looks for whom one means: a form of its own, so that it works before scripts. */
export function FindAttendee({ choices: { more, who } }: { choices: Choices }) {
  const { pathname, search } = useLocation()
  if (!more && !who) return null
  return (
    <FilterForm action={pathname} values={{ who }} className="mb-4 mt-1">
      {[...new URLSearchParams(search)].map(
        ([name, value]) => name !== 'who' && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <SearchField
        name="who"
        label="Find a client or prospect"
        placeholder="Find a client or prospect by name"
        value={who}
      />
    </FilterForm>
  )
}

/** A time that was chosen elsewhere, such as 9:50, is one of the choices. */
function withOwn(choices: Choice[], own: string): Choice[] {
  if (!/^\d\d:\d\d$/.test(own) || choices.some(({ value }) => value === own)) return choices
  return [...choices, { value: own, label: clockWords(own) }].sort((a, b) => (a.value < b.value ? -1 : 1))
}

/** A later start takes the end along, so that it lasts as long as before. */
function keepLength({ currentTarget: start }: FormEvent<HTMLSelectElement>) {
  const end = start.form?.elements.namedItem('endTime')
  const spans = start.form?.elements.namedItem('endDate')
  const before = minutesOf(start.dataset.was ?? start.value)
  start.dataset.was = start.value
  if (!(end instanceof HTMLSelectElement) || spans) return
  const moved = timeFrom(Math.min(1440, minutesOf(end.value) + minutesOf(start.value) - before))
  if (end.value > timeFrom(before) && [...end.options].some(({ value }) => value === moved)) end.value = moved
}

function Options({ label, choices }: { label: string; choices: Choice[] }) {
  return <optgroup label={label}>{choices.map(option)}</optgroup>
}

function option({ value, label }: Choice) {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
