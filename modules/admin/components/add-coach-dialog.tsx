import { Form } from '@remix-run/react'
import { formValues } from '#app/lib/fields.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { coachFields } from '../fields.ts'

export function AddCoachDialog({ closeTo }: { closeTo: string }) {
  const { form, fields, busy } = useServerForm(coachFields, {
    id: 'add-coach',
    intent: 'add',
    values: formValues(coachFields),
  })
  return (
    <Dialog title="Add Coach" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="add" />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField field={fields.email} type="email" hint="We'll email an invitation." autoComplete="off" />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField field={fields.firstName} autoComplete="off" />
            <TextField field={fields.lastName} autoComplete="off" />
          </div>
          <TextField field={fields.businessName} autoComplete="off" />
          <SelectField field={fields.subscriptionStatus} />
          <DialogSubmit busy={busy} busyLabel="Adding...">
            Add Coach
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
