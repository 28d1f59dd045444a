import { Form } from '@remix-run/react'
import type { Timezone } from '#app/lib/timezones.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import { ContactFields, WorkFields } from './client-fields.tsx'
import { useClientForm, type EditedClient } from './client-form.tsx'

export function EditClientDialog({
  client,
  closeTo,
  timezones,
}: {
  client: EditedClient
  closeTo: string
  timezones: Timezone[]
}) {
  const { form, fields, busy, hidden, notice, onInput } = useClientForm(client, { id: 'edit-client', intent: 'edit' })
  return (
    <Dialog title="Edit Client" closeTo={closeTo} position="side">
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset onInput={onInput}>
          {hidden}
          {notice}
          <ContactFields fields={fields} timezones={timezones} />
          <WorkFields fields={fields} />
          <RichTextField field={fields.goals} label="Goals" rows={2} compact />
          <RichTextField field={fields.notes} label={fields.notes.label} />
          <fieldset className="grid gap-4">
            <legend className="h2 mb-3">4Fs Assessment Framework</legend>
            {[fields.futureGoals, fields.frustrations, fields.fears, fields.failures].map((field) => (
              <RichTextField key={field.name} field={field} label={field.label} rows={2} compact />
            ))}
          </fieldset>
          <DialogSubmit busy={busy}>Save</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
