import { Form } from '@remix-run/react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, SelectField, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { consentFormFields } from '../fields.ts'
import type { SessionPage } from '../session-loader.server.ts'

type Props = Pick<SessionPage, 'id' | 'client' | 'wording' | 'today'> & { closeTo: string }

/** Records that a client agrees: for all sessions, or for this one. */
export function ConsentDialog({ id, client, wording, today, closeTo }: Props) {
  const { form, fields, busy } = useServerForm(consentFormFields, {
    id: 'consent',
    intent: 'consent',
    values: { wording, channel: 'spoken', givenOn: today, scope: client ? 'client' : 'session' },
  })
  const scopes = [
    ...(client ? [{ value: 'client', label: `All sessions of ${client.name}` }] : []),
    { value: 'session', label: 'This session' },
  ]
  return (
    <Dialog title="Record Consent" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="consent" />
          <input type="hidden" name="appointment" value={id} />
          <FormError id={form.errorId} errors={form.errors} />
          <SelectField field={fields.scope} choices={scopes} />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField field={fields.channel} />
            <TextField field={fields.givenOn} type="date" max={today} />
          </div>
          <TextAreaField field={fields.wording} rows={6} maxLength={2000} />
          <DialogSubmit busy={busy}>Record Consent</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
