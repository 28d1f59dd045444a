import { useState } from 'react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import { scheduleFormFields } from '../fields.ts'
import type { ScheduleDialogData } from '../dialogs.ts'
import { AppointmentFields } from './appointment-fields.tsx'
import { FindAttendee } from './attendee-combobox.tsx'
import { RepeatFields } from './repeat-fields.tsx'
import { isOverlap, OverlapConfirmation } from './overlap-confirmation.tsx'

/** Schedules an appointment, on the calendar or over another page. `action`: the calendar's URL with this dialog. */
export function ScheduleDialog({
  choices,
  zone,
  now,
  weekdays,
  values,
  action,
  closeTo,
}: ScheduleDialogData & { action: string; closeTo: string }) {
  // The page may reload its data, and suggest another time, while the form is open.
  const [initialValues] = useState(values)
  const state = useFetcherForm(scheduleFormFields, {
    id: 'schedule',
    intent: 'schedule',
    values: { status: 'scheduled', ...initialValues },
  })
  const { form, fields, busy, fetcher } = state
  return (
    <Dialog title="Schedule New Appointment" closeTo={closeTo}>
      <DialogBody>
        <FindAttendee choices={choices} />
        <fetcher.Form method="post" action={action} {...form.props} className="mt-1 grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="schedule" />
          <FormError id={form.errorId} errors={form.errors} />
          <OverlapConfirmation state={state} />
          <AppointmentFields fields={fields} choices={choices} zone={zone} now={now} spans={false} />
          <RepeatFields {...fields} weekdays={weekdays} chosen={state.submitted?.repeatWeekdays} />
          <label className="flex items-center gap-2">
            <input type="checkbox" name="notify" className="check" defaultChecked={!!state.submitted?.notify} />
            Email them now and before it begins
          </label>
          <DialogSubmit busy={busy}>{isOverlap(state) ? 'Schedule Anyway' : 'Schedule'}</DialogSubmit>
        </fetcher.Form>
      </DialogBody>
    </Dialog>
  )
}
