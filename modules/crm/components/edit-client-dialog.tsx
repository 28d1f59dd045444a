import { Form } from '@remix-run/react'
import type { Timezone } from '#app/lib/timezones.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import { FormErrorSummary } from '#app/ui/forms/merge-conflict.tsx'
import { clientFields } from '../fields.ts'
import { ContactFields, WorkFields, type EditedClient } from './client-fields.tsx'
import { useClientForm } from './client-form.tsx'

export function EditClientDialog({
  client,
  closeTo,
  timezones,
}: {
  client: EditedClient
  closeTo: string
  timezones: Timezone[]
}) {
  const clientForm = useClientForm(client, { id: 'edit-client', intent: 'edit' })
  const { form, fields, busy } = clientForm
  return (
    <Dialog title="Edit Client" closeTo={closeTo} position="side">
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset onInput={clientForm.onInput}>
          <input type="hidden" name="intent" value="edit" />
          {clientForm.inputs}
          <FormErrorSummary form={form} notice={clientForm.notice} subject="This client" />
          <ContactFields fields={fields} timezones={timezones} />
          <WorkFields fields={fields} />
          <RichTextField field={fields.goals} label="Goals" rows={2} />
          <RichTextField field={fields.notes} label={clientFields.notes.label} />
          <fieldset className="grid gap-4">
            <legend className="h2 mb-3">4Fs Assessment Framework</legend>
            <RichTextField field={fields.futureGoals} label={clientFields.futureGoals.label} rows={2} />
            <RichTextField field={fields.frustrations} label={clientFields.frustrations.label} rows={2} />
            <RichTextField field={fields.fears} label={clientFields.fears.label} rows={2} />
            <RichTextField field={fields.failures} label={clientFields.failures.label} rows={2} />
          </fieldset>
          <DialogSubmit sticky busy={busy}>
            Save
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
