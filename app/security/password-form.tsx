import { Form } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { passwordCheckFields } from '#tenants/auth/fields.ts'

/** Asks for the password before a change. `id` is the intent too. */
export function PasswordForm({ id, submit, busyLabel }: { id: string; submit: string; busyLabel: string }) {
  const { form, fields, busy } = useServerForm(passwordCheckFields, { id, intent: id })
  return (
    <Form method="post" {...form.props} className="grid max-w-md gap-4" preventScrollReset>
      <input type="hidden" name="intent" value={id} />
      <FormError id={form.errorId} errors={form.errors} />
      <PasswordField field={fields.currentPassword} autoComplete="current-password" />
      <div>
        <Button type="submit" busy={busy} busyLabel={busyLabel}>
          {submit}
        </Button>
      </div>
    </Form>
  )
}
