import { Form } from '@remix-run/react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { completionFields } from '../fields.ts'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import type { AppointmentView } from '../dialogs.ts'

/** Marks a session as completed, with notes. */
export function CompleteDialog({
  appointment: { id, title, attendeeName, when, clientId },
  closeTo,
}: {
  appointment: AppointmentView
  closeTo: string
}) {
  const { form, fields, busy } = useServerForm(completionFields, { id: 'complete', intent: 'complete' })
  return (
    <Dialog
      title={
        <>
          Mark Complete
          <span className="block font-sans text-sm text-ink-3">
            {title}, {attendeeName}
          </span>
          <span className="block font-sans text-sm text-ink-3">{when}</span>
        </>
      }
      closeTo={closeTo}
    >
      <DialogBody>
        <Form method="post" {...form.props} className="mt-2 grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="complete" />
          <input type="hidden" name="id" value={id} />
          <FormError id={form.errorId} errors={form.errors} />
          <RichTextField
            field={fields.notes}
            label={fields.notes.label}
            hint={
              clientId === null
                ? 'Optional. Kept when the prospect becomes a client.'
                : 'Optional. Saved to this client’s timeline.'
            }
            rows={6}
          />
          <DialogSubmit busy={busy}>Mark Complete</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
