import { Form } from '@remix-run/react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import type { AppointmentView } from '../dialogs.ts'
import { completionFields, sessionNotesFields } from '../fields.ts'

const forms = {
  complete: { title: 'Mark Complete', fields: completionFields, hint: 'Optional. ' },
  'add-notes': { title: 'Add Notes', fields: sessionNotesFields, hint: '' },
}

type Props = { kind: keyof typeof forms; appointment: AppointmentView; closeTo: string }

/** Marks a session as completed, with notes, or adds notes to a completed one. */
export function SessionNotesDialog({ kind, appointment: { id, title, attendeeName, when, clientId }, closeTo }: Props) {
  const { form, fields, busy } = useServerForm(forms[kind].fields, { id: kind, intent: kind })
  const keptIn = clientId === null ? 'Kept when the prospect becomes a client.' : 'Saved to this client’s timeline.'
  return (
    <Dialog
      title={
        <>
          {forms[kind].title}
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
          <input type="hidden" name="intent" value={kind} />
          <input type="hidden" name="id" value={id} />
          <FormError id={form.errorId} errors={form.errors} />
          <RichTextField field={fields.notes} label={fields.notes.label} hint={forms[kind].hint + keptIn} rows={6} />
          <DialogSubmit busy={busy}>{forms[kind].title}</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
