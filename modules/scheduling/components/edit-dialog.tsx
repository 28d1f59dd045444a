import { Form } from '@remix-run/react'
import { HistoryLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { appointmentFormFields } from '../fields.ts'
import type { EditDialogData } from '../dialogs.ts'
import { AppointmentFields } from './appointment-fields.tsx'
import { FindAttendee } from './attendee-combobox.tsx'
import { isOverlap, OverlapConfirmation } from './overlap-confirmation.tsx'
import { ScopeField } from './scope-field.tsx'

export function EditAppointmentDialog({
  id,
  version,
  choices,
  zone,
  now,
  values,
  repeats,
  closeTo,
}: EditDialogData & { closeTo: string }) {
  const state = useServerForm(appointmentFormFields, { id: 'appointment', intent: 'edit', values })
  const conflict = useEditConflict(state, { noun: 'appointment', current: { version, values } })
  const { form, busy } = state
  const { fields } = conflict
  const spans = values.endDate !== '' || Boolean(fields.endDate.initialValue)
  return (
    <Dialog title="Edit Session" closeTo={closeTo}>
      <DialogBody>
        <FindAttendee choices={choices} />
        <Form key={conflict.key} method="post" {...form.props} className="mt-1 grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="edit" />
          <input type="hidden" name="id" value={id} />
          {conflict.inputs}
          {conflict.notice}
          <OverlapConfirmation state={state} />
          <AppointmentFields fields={fields} choices={choices} zone={zone} now={now} spans={spans} />
          {repeats && <ScopeField label="Save for" hint={repeats} chosen={state.submitted?.scope} />}
          <DialogSubmit busy={busy} aside={<HistoryLink kind="appointment" id={id} />}>
            {isOverlap(state) ? 'Save Anyway' : 'Save'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
