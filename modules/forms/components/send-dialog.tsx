import { Form } from '@remix-run/react'
import type { Fields } from '#app/lib/fields.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { searchClients, toGroups } from '#app/ui/forms/client-choices.ts'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { PersonCombobox } from '#app/ui/forms/person-combobox.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'

export type SendOptions = {
  forms: { id: number; name: string }[]
  clients: { id: number; name: string }[]
  hasMore: boolean
  /** Whether links can be emailed: the coach has confirmed their address. */
  canEmail: boolean
  /** Whether links work: the coach has a host. */
  hasHost: boolean
}

const fields = {
  formId: { kind: 'line', label: 'Form', required: 'Choose a form' },
  clientId: { kind: 'line', label: 'Client', required: 'Choose a client' },
  expiresInDays: { kind: 'line', label: 'Days until the link expires', max: 3 },
} as const satisfies Fields

/** Gives a client a form to answer. */
export function SendDialog({
  options,
  values,
  closeTo,
}: {
  options: SendOptions
  values: { formId: number | null; clientId: number | null }
  closeTo: string
}) {
  const { forms, clients, hasMore, canEmail, hasHost } = options
  const {
    form,
    fields: inputs,
    busy,
  } = useServerForm(fields, {
    id: 'send',
    intent: 'send',
    values: {
      formId: String(values.formId ?? forms[0]?.id ?? ''),
      clientId: String(values.clientId ?? ''),
      expiresInDays: '30',
    },
  })
  return (
    <Dialog title="Send Form" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="send" />
          <FormError id={form.errorId} errors={form.errors} />
          {!hasHost && <p className="note">Choose a web address under Branding first. Links to forms lead there.</p>}
          <SelectField
            field={inputs.formId}
            choices={forms.map(({ id, name }) => ({ value: String(id), label: name }))}
            hint="As it was published last. One that never was is published now."
          />
          <PersonCombobox
            field={inputs.clientId}
            placeholder="Choose a client"
            groups={toGroups(clients)}
            search={hasMore ? searchClients : undefined}
          />
          <TextField
            field={inputs.expiresInDays}
            inputMode="numeric"
            hint="Empty: it doesn’t expire"
            autoComplete="off"
          />
          {canEmail ? (
            <label className="flex items-center gap-2.5">
              <input type="checkbox" name="sendEmail" value="yes" className="check" defaultChecked={hasHost} />
              Email the link
            </label>
          ) : (
            <p className="hint">Confirm your email address to email links. Until then, copy them.</p>
          )}
          <DialogSubmit busy={busy}>Send Form</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
