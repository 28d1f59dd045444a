import { useLocation } from '@remix-run/react'
import type { FormEvent } from 'react'
import { SelectField, TextAreaField, TextField, type Choice } from '#app/ui/forms/field.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import type { ServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import type { AppointmentChoices } from '../dialogs.ts'
import { timeToMinutes, minutesToTime } from '../day-segments.ts'
import type { appointmentFormFields } from '../fields.ts'
import { formatClock } from '../format.ts'

const threeColumns = 'sm:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1fr)]'

// Every 15 minutes over 24 hours: part-2 §2.
const starts: Choice[] = Array.from({ length: 96 }, (_, index) => minutesToTime(index * 15)).map((value) => ({
  value,
  label: formatClock(value),
}))
const ends: Choice[] = [...starts.slice(1), { value: '24:00', label: '12:00 AM, midnight' }]

/** The fields of an appointment. `spans`: it may end on another day. */
export function AppointmentFields({
  fields,
  choices,
  zone,
  spans,
}: {
  fields: ServerForm<typeof appointmentFormFields>['fields']
  choices: AppointmentChoices
  zone: string
  spans: boolean
}) {
  const start = textOf(fields.startTime.initialValue)
  const count = choices.clients.length + choices.prospects.length
  const end = textOf(fields.endTime.initialValue)
  return (
    <>
      <TextField field={fields.title} autoComplete="off" data-autofocus />
      <SelectField
        field={fields.attendee}
        label="Client or prospect"
        hint={
          choices.hasMore ? 'Showing the first 100. Search to find more.' : !count && !choices.who && <NoAttendees />
        }
      >
        {/* A single search result is selected. */}
        {(count !== 1 || !choices.who) && (
          <option value="">
            {count ? 'Choose a client or prospect' : choices.who ? 'No matches' : 'No clients or prospects yet'}
          </option>
        )}
        {choices.clients.length > 0 && <Options label="Clients" choices={choices.clients} />}
        {choices.prospects.length > 0 && <Options label="Prospects" choices={choices.prospects} />}
      </SelectField>
      <div className={`grid grid-cols-2 gap-4 ${spans ? '' : threeColumns}`}>
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
          choices={withTime(starts, start)}
          onChange={keepLength}
          data-previous={start}
        />
        {spans && <TextField field={fields.endDate} label="End date" type="date" min="1900-02-01" max="2200-11-30" />}
        <SelectField
          field={fields.endTime}
          label="End time"
          choices={withTime(spans ? [starts[0]!, ...ends] : ends, end)}
        />
      </div>
      <p className="hint -mt-2">Times are in your timezone: {zone}.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField field={fields.type} label="Appointment type">
          <option value="">No type</option>
          {choices.types.map(option)}
          {choices.suggested.length > 0 && <Options label="Suggested" choices={choices.suggested} />}
        </SelectField>
        <SelectField field={fields.status} />
      </div>
      <TextField field={fields.meetingUrl} type="url" inputMode="url" placeholder="https://" autoComplete="off" />
      <TextAreaField field={fields.description} rows={3} />
    </>
  )
}

function NoAttendees() {
  return (
    <>
      First{' '}
      <Link to="/clients?dialog=add" className="link">
        add a client
      </Link>{' '}
      or{' '}
      <Link to="/pipeline?dialog=add" className="link">
        a prospect
      </Link>
      .
    </>
  )
}

/** Searches for people who are not among the first choices. A form of its own, so that it works without JavaScript. */
export function FindAttendee({ choices: { hasMore, who } }: { choices: AppointmentChoices }) {
  const { pathname, search } = useLocation()
  if (!hasMore && !who) return null
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

/** Adds a time between the quarters of an hour, such as 9:50. */
function withTime(choices: Choice[], time: string): Choice[] {
  if (!/^\d\d:\d\d$/.test(time) || choices.some(({ value }) => value === time)) return choices
  return [...choices, { value: time, label: formatClock(time) }].sort((a, b) => (a.value < b.value ? -1 : 1))
}

/** Moves the end with the start, so that the length stays. */
function keepLength({ currentTarget: start }: FormEvent<HTMLSelectElement>) {
  const end = start.form?.elements.namedItem('endTime')
  const spans = start.form?.elements.namedItem('endDate')
  const before = timeToMinutes(start.dataset.previous ?? start.value)
  start.dataset.previous = start.value
  if (!(end instanceof HTMLSelectElement) || spans) return
  const moved = minutesToTime(Math.min(1440, timeToMinutes(end.value) + timeToMinutes(start.value) - before))
  if (end.value > minutesToTime(before) && [...end.options].some(({ value }) => value === moved)) end.value = moved
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
