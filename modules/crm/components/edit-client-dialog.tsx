import { Form } from '@remix-run/react'
import type { Zone } from '#app/lib/timezones.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import { RefusedForm } from '#app/ui/forms/merge-conflict.tsx'
import { ContactFields, WorkFields, type EditedClient } from './client-fields.tsx'
import { useClientForm } from './client-form.tsx'

/** Edits a client from the list. When another tab saved meanwhile it says what differs; what was typed stays until it is saved or left. */
export function EditClientDialog({ client, closeTo, zones }: { client: EditedClient; closeTo: string; zones: Zone[] }) {
  const edited = useClientForm(client, { id: 'edit-client', intent: 'edit' })
  const { form, fields, busy } = edited
  return (
    <Dialog title="Edit Client" closeTo={closeTo} place="side">
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset onInput={edited.onInput}>
          <input type="hidden" name="intent" value="edit" />
          {edited.inputs}
          <RefusedForm form={form} notice={edited.notice} what="This client" />
          <ContactFields fields={fields} zones={zones} />
          <WorkFields fields={fields} />
          <RichTextField field={fields.goals} label="Goals" rows={2} />
          <RichTextField field={fields.notes} label="Session Notes & Observations" />
          <fieldset className="grid gap-4">
            <legend className="h2 mb-3">4Fs Assessment Framework</legend>
            <RichTextField field={fields.futureGoals} label="Future Goals" rows={2} />
            <RichTextField field={fields.frustrations} label="Frustrations" rows={2} />
            <RichTextField field={fields.fears} label="Fears" rows={2} />
            <RichTextField field={fields.failures} label="Past Failures" rows={2} />
          </fieldset>
          <DialogSubmit sticky busy={busy}>
            Save
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
