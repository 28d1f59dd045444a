import { Form } from '@remix-run/react'
import { formatTimeRange, type TimeFormat } from '#app/lib/clock.ts'
import { formValues } from '#app/lib/fields.ts'
import type { Timezone } from '#app/lib/timezones.ts'
import { commonTimezones } from '#app/lib/timezones.ts'
import { Button, HistoryLink } from '#app/ui/components/button.tsx'
import { useTimeFormat } from '#app/ui/components/time-format.ts'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { SelectField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { scheduleFields, scheduleFormFields, weekdayFields } from '../booking-fields.ts'

type Props = {
  /** Null: the first one, which the form adds. */
  schedule: { id: number; version: number; values: Record<string, string> } | null
  ownZone: string
  zones: Timezone[]
  /** The weekdays, from the first one. */
  week: readonly Weekday[]
}

type Weekday = (typeof weekdayFields)[number]

function suggestValues(format: TimeFormat) {
  const hours = formatTimeRange('09:00', '17:00', format)
  const usualHours = Object.fromEntries(weekdayFields.slice(1, 6).map((day) => [day, hours]))
  return { ...formValues(scheduleFields), name: 'Working hours', ...usualHours }
}

/** The weekly hours and limits of a schedule. */
export function ScheduleForm({ schedule, ownZone, zones, week }: Props) {
  const format = useTimeFormat()
  const intent = schedule ? 'save' : 'add'
  const values = schedule?.values ?? suggestValues(format)
  const state = useServerForm(scheduleFormFields, { id: 'schedule', intent, values })
  const { form, busy } = state
  const current = schedule && { version: schedule.version, values: schedule.values }
  const { key, inputs, notice, fields } = useEditConflict(state, { noun: 'schedule', current })
  return (
    <Form
      key={key}
      method="post"
      {...form.props}
      className="grid gap-5 border-t border-line-soft px-5 py-5"
      preventScrollReset
    >
      <input type="hidden" name="intent" value={intent} />
      {schedule && <input type="hidden" name="id" value={schedule.id} />}
      {inputs}
      {notice}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField field={fields.name} autoComplete="off" />
        <SelectField
          field={fields.timezone}
          choices={[
            { label: 'Common', choices: commonTimezones },
            { label: 'All time zones', choices: zones },
          ]}
        >
          <option value="">My time zone ({ownZone.replaceAll('_', ' ')})</option>
        </SelectField>
      </div>
      <fieldset className="grid gap-3" aria-describedby="schedule-hours-hint">
        <legend className="mb-2 font-semibold">Weekly hours</legend>
        <p id="schedule-hours-hint" className="hint">
          Several times a day are separated by commas: {formatTimeRange('09:00', '12:00', format)},{' '}
          {formatTimeRange('13:00', '17:00', format)}. Empty: not available.
        </p>
        {week.map((day) => (
          <TextField key={day} field={fields[day]} autoComplete="off" placeholder="Not available" />
        ))}
      </fieldset>
      <fieldset className="grid gap-4">
        <legend className="mb-2 font-semibold">Limits</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField field={fields.minimumNoticeMinutes} inputMode="numeric" hint="240 is four hours, 1440 a day." />
          <TextField field={fields.bookingWindowDays} inputMode="numeric" />
          <TextField field={fields.bufferBefore} inputMode="numeric" hint="Kept free before each appointment." />
          <TextField field={fields.bufferAfter} inputMode="numeric" hint="Kept free after each appointment." />
          <TextField field={fields.dailyLimit} inputMode="numeric" placeholder="No limit" />
          <TextField field={fields.weeklyLimit} inputMode="numeric" placeholder="No limit" />
          <TextField
            field={fields.slotIntervalMinutes}
            inputMode="numeric"
            placeholder="The duration"
            hint="30: at every full and half hour."
          />
        </div>
      </fieldset>
      <div className="flex justify-end gap-2">
        {schedule && <HistoryLink kind="availability_schedule" id={schedule.id} />}
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          Save Hours
        </Button>
      </div>
    </Form>
  )
}
