import { Form } from '@remix-run/react'
import { HistoryLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { FormErrorSummary, useMergeConflict, type FieldLabels } from '#app/ui/forms/merge-conflict.tsx'
import type { EditDialogData } from '../dialogs.ts'
import { statusLabels, type AppointmentStatus } from '../statuses.ts'
import { formatClock } from '../format.ts'
import { AppointmentFields, FindAttendee, type AppointmentFieldName } from './appointment-fields.tsx'

const labels = [
  ['title', 'Title'],
  ['attendee', 'Client or prospect'],
  ['date', 'Date'],
  ['startTime', 'Start time'],
  ['endDate', 'End date'],
  ['endTime', 'End time'],
  ['type', 'Appointment type'],
  ['status', 'Status'],
  ['meetingUrl', 'Meeting URL'],
  ['description', 'Description'],
] as const satisfies FieldLabels<AppointmentFieldName>

export function EditAppointmentDialog({
  id,
  version,
  choices,
  zone,
  values,
  closeTo,
}: EditDialogData & { closeTo: string }) {
  const { form, fields, busy } = useServerForm<Record<AppointmentFieldName | 'version' | 'was', string>>({
    id: 'appointment',
    intent: 'edit',
    values,
  })
  const wasRejected = Boolean(form.errors?.length)
  const conflict = useMergeConflict({
    fields,
    wasRejected,
    labels,
    current: { version, texts: values },
    subject: 'This session',
    formatValue,
  })
  const spans = values.endDate !== '' || Boolean(fields.endDate.initialValue)

  function formatValue(name: AppointmentFieldName, text: string): string {
    if (name === 'attendee')
      return [...choices.clients, ...choices.prospects].find(({ value }) => value === text)?.label ?? 'Unknown'
    if (name === 'type')
      return [...choices.types, ...choices.suggested].find(({ value }) => value === text)?.label ?? 'No type'
    if (name === 'status') return statusLabels[text as AppointmentStatus] ?? text
    return name === 'startTime' || name === 'endTime' ? formatClock(text) : text
  }

  return (
    <Dialog title="Edit Session" closeTo={closeTo}>
      <DialogBody>
        <FindAttendee choices={choices} />
        <Form method="post" {...form.props} className="mt-1 grid gap-4" preventScrollReset onInput={conflict.onInput}>
          <input type="hidden" name="intent" value="edit" />
          <input type="hidden" name="id" value={id} />
          {conflict.inputs}
          <FormErrorSummary form={form} notice={conflict.notice} subject="This session" />
          <AppointmentFields fields={fields} choices={choices} zone={zone} spans={spans} />
          <DialogSubmit busy={busy} aside={<HistoryLink kind="appointment" id={id} />}>
            Save
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
