import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { passwordCheckFields } from '#tenants/auth/fields.ts'

/** Asks for the password before a change: otherwise somebody who holds a session could lock out its owner. */
export function PasswordDialog({
  title,
  intent,
  id,
  submit,
  busyLabel,
  danger,
  closeTo,
  children,
}: {
  title: string
  intent: string
  id?: number
  submit: string
  busyLabel: string
  danger?: boolean
  closeTo: string
  children: ReactNode
}) {
  const { form, fields, busy } = useServerForm(passwordCheckFields, { id: intent, intent })
  return (
    <Dialog title={title} closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value={intent} />
          {id !== undefined && <input type="hidden" name="id" value={id} />}
          <FormError id={form.errorId} errors={form.errors} />
          <p>{children}</p>
          <PasswordField field={fields.currentPassword} autoComplete="current-password" data-autofocus />
          <DialogSubmit busy={busy} busyLabel={busyLabel} danger={danger}>
            {submit}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
