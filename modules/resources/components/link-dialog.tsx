import { Form } from '@remix-run/react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { linkFields } from '../fields.ts'
import { toOptions, type Options } from './upload-dialog.tsx'

/** Adds a link or a video that is somewhere else. */
export function LinkDialog({
  clients,
  folders,
  values,
  closeTo,
}: Options & { values: { clientId: string; folderId: string }; closeTo: string }) {
  const { form, fields, busy } = useServerForm(linkFields, {
    id: 'link',
    intent: 'add-link',
    values: { type: 'link', ...values },
  })
  return (
    <Dialog title="Add Link" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="add-link" />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField field={fields.name} autoComplete="off" />
          <TextField field={fields.fileUrl} type="url" inputMode="url" placeholder="https://" autoComplete="off" />
          <div className="grid gap-4 sm:grid-cols-3">
            <SelectField field={fields.type} />
            <SelectField
              field={fields.clientId}
              choices={toOptions('General', clients)}
              hint="A client sees it once you share it."
            />
            <SelectField field={fields.folderId} choices={toOptions('No folder', folders)} />
          </div>
          <DialogSubmit busy={busy}>Add Link</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
