import { Form } from '@remix-run/react'
import { HistoryLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { RefusedForm, useTwoTabs, type Labels } from '#app/ui/forms/merge-conflict.tsx'
import type { EditDialogData } from '../dialogs.ts'
import { statusWords, type AppointmentStatus } from '../statuses.ts'
import { clockWords } from '../format.ts'
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
] as const satisfies Labels<AppointmentFieldName>

/** Edits an appointment. */
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
  const refused = Boolean(form.errors?.length)
  const tabs = useTwoTabs({
    fields,
    refused,
    labels,
    current: { version, texts: values },
    what: 'This appointment',
    shown,
  })
  const spans = values.endDate !== '' || Boolean(fields.endDate.initialValue)

  function shown(name: AppointmentFieldName, text: string): string {
    if (name === 'attendee')
      return [...choices.clients, ...choices.prospects].find(({ value }) => value === text)?.label ?? 'Unknown'
    if (name === 'type')
      return [...choices.types, ...choices.suggested].find(({ value }) => value === text)?.label ?? 'No type'
    if (name === 'status') return statusWords[text as AppointmentStatus] ?? text
    return name === 'startTime' || name === 'endTime' ? clockWords(text) : text
  }

  return (
    <Dialog title="Edit Appointment" closeTo={closeTo}>
      <DialogBody>
        <FindAttendee choices={choices} />
        <Form method="post" {...form.props} className="mt-1 grid gap-4" preventScrollReset onInput={tabs.onInput}>
          <input type="hidden" name="intent" value="edit" />
          <input type="hidden" name="id" value={id} />
          {tabs.inputs}
          <RefusedForm form={form} notice={tabs.notice} what="This appointment" />
          <AppointmentFields fields={fields} choices={choices} zone={zone} spans={spans} />
          <DialogSubmit busy={busy} aside={<HistoryLink kind="appointment" id={id} />}>
            Save
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
