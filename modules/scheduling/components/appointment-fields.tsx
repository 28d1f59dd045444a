import { useState, type FormEvent } from 'react'
import { formatClock, type TimeFormat } from '#app/lib/clock.ts'
import { useTimeFormat } from '#app/ui/components/time-format.ts'
import { SelectField, TextAreaField, TextField, type Choice } from '#app/ui/forms/field.tsx'
import type { ServerForm } from '#app/ui/forms/use-server-form.ts'
import { zonedToInstant } from '#app/lib/time.ts'
import type { Timezone } from '#app/lib/timezones.ts'
import type { AppointmentChoices } from '../dialogs.ts'
import { isSupportedDate } from '../calendar-state.ts'
import { timeToMinutes, minutesToTime } from '../day-segments.ts'
import type { appointmentFormFields } from '../fields.ts'
import { defaultTitle, formatAttendeeTime, formatMinutes } from '../format.ts'
import { AttendeeCombobox } from './attendee-combobox.tsx'

// The end has room for its length: '11:00 AM (60 min)'.
const threeColumns =
  'grid-cols-[minmax(0,2fr)_minmax(0,3fr)] sm:grid-cols-[minmax(0,11fr)_minmax(0,9fr)_minmax(0,13fr)]'

// Every 15 minutes over 24 hours: part-2 §2.
const quarters = Array.from({ length: 96 }, (_, index) => minutesToTime(index * 15))
const listStarts = (format: TimeFormat): Choice[] => quarters.map((value) => toChoice(value, format))
const listEnds = (format: TimeFormat): Choice[] => [
  ...listStarts(format).slice(1),
  { value: '24:00', label: `${formatClock('24:00', format)}, midnight` },
]
const toChoice = (value: string, format: TimeFormat): Choice => ({ value, label: formatClock(value, format) })

type Fields = ServerForm<typeof appointmentFormFields>['fields']
type Props = { fields: Fields; choices: AppointmentChoices; zone: Timezone; now: string; spans: boolean }
type Attendee = { name: string; timezone: string | null; note: string | undefined }

/** The fields of an appointment. `now`: local, '2026-03-10T09:00'; `spans`: it may end on another day. */
export function AppointmentFields({ fields, choices, zone, now, spans }: Props) {
  const [attendee, setAttendee] = useState(() => findAttendee(choices, fields.attendee.initialValue))
  return (
    <>
      <TextField field={fields.title} autoComplete="off" data-autofocus />
      <AttendeeField field={fields.attendee} choices={choices} onChoose={setAttendee} />
      {attendee?.note && <p className="hint -mt-2">{attendee.note}</p>}
      <TimeFields fields={fields} attendee={attendee} zone={zone} now={now} spans={spans} />
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

function findAttendee({ clients, prospects }: AppointmentChoices, value: unknown): Attendee | null {
  const found = [...clients, ...prospects].find((choice) => choice.value === value)
  return found ? { name: found.label, timezone: found.timezone ?? null, note: found.note } : null
}

type AttendeeFieldProps = {
  field: Fields['attendee']
  choices: AppointmentChoices
  onChoose: (attendee: Attendee | null) => void
}

function AttendeeField({ field, choices, onChoose }: AttendeeFieldProps) {
  const onInput = (event: FormEvent<HTMLDivElement>) => {
    if (!(event.target instanceof HTMLSelectElement)) return
    const { value, selectedOptions } = event.target
    const { label = '', dataset = {} } = selectedOptions[0] ?? {}
    const attendee = value ? { name: label, timezone: dataset.timezone ?? null, note: dataset.note } : null
    onChoose(attendee)
    suggestTitle(event.currentTarget, attendee?.name)
  }
  return (
    <div onInput={onInput}>
      <AttendeeCombobox field={field} choices={choices} />
    </div>
  )
}

/** Titles the session after its attendee, unless the user has typed a title. */
function suggestTitle(field: HTMLElement, name: string | undefined) {
  const title = field.closest('form')?.elements.namedItem('title')
  if (!name || !(title instanceof HTMLInputElement)) return
  if (title.value === '' || title.value === field.dataset.suggestion) title.value = defaultTitle(name)
  field.dataset.suggestion = defaultTitle(name)
}

type TimeFieldsProps = Omit<Props, 'choices'> & { attendee: Attendee | null }

function TimeFields({ fields, attendee, zone, now, spans }: TimeFieldsProps) {
  const format = useTimeFormat()
  const [date, setDate] = useState(toText(fields.date.initialValue))
  const [start, setStart] = useState(toText(fields.startTime.initialValue))
  const end = toText(fields.endTime.initialValue)
  const isPast = date !== '' && `${date}T${start}` < now
  const attendeeTime =
    attendee &&
    isSupportedDate(date) &&
    formatAttendeeTime(zonedToInstant(date, start, zone.value), attendee.name, attendee.timezone, {
      timezone: zone.value,
      timeFormat: format,
    })
  return (
    <>
      <div className={`grid gap-4 ${spans ? 'grid-cols-2' : threeColumns}`}>
        <TextField
          field={fields.date}
          fieldClass={spans ? '' : 'max-sm:col-span-2'}
          label={spans ? 'Start date' : 'Date'}
          type="date"
          min="1900-02-01"
          max="2200-11-30"
          onInput={(event) => setDate(event.currentTarget.value)}
        />
        <SelectField
          field={fields.startTime}
          choices={withTime(listStarts(format), toText(fields.startTime.initialValue), format)}
          onChange={(event) => {
            keepLength(event)
            setStart(event.currentTarget.value)
          }}
          data-previous={toText(fields.startTime.initialValue)}
        />
        {spans && <TextField field={fields.endDate} type="date" min="1900-02-01" max="2200-11-30" />}
        <SelectField
          field={fields.endTime}
          choices={
            spans
              ? withTime([toChoice('00:00', format), ...listEnds(format)], end, format)
              : fromStart(withTime(listEnds(format), end, format), start)
          }
        />
      </div>
      <p className="hint -mt-2">
        {isPast && 'This time is in the past. '}Times are in your time zone: {zone.label}.
        {attendeeTime && <span className="block">{attendeeTime}</span>}
      </p>
    </>
  )
}

/** The ends after the start, with the length, then the others. */
function fromStart(choices: Choice[], start: string): Choice[] {
  const after = choices.filter(({ value }) => value > start)
  const withLength = after.map(({ value, label }) => ({
    value,
    label: `${label} (${formatMinutes(timeToMinutes(value) - timeToMinutes(start))})`,
  }))
  return [...withLength, ...choices.filter(({ value }) => value <= start)]
}

/** Adds a time between the quarters of an hour, such as 9:50. */
function withTime(choices: Choice[], time: string, format: TimeFormat): Choice[] {
  if (!/^\d\d:\d\d$/.test(time) || choices.some(({ value }) => value === time)) return choices
  return [...choices, toChoice(time, format)].sort((a, b) => (a.value < b.value ? -1 : 1))
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

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
