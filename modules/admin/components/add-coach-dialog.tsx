import { Form } from '@remix-run/react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'

type Fields = { email: string; firstName: string; lastName: string; businessName: string; subscriptionStatus: string }

export function AddCoachDialog({ closeTo }: { closeTo: string }) {
  const { form, fields, busy } = useServerForm<Fields>({
    id: 'add-coach',
    intent: 'add',
    values: { subscriptionStatus: 'free' },
  })
  return (
    <Dialog title="Add Coach" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="add" />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField
            field={{ ...fields.email, required: true }}
            label="Email"
            type="email"
            hint="An invitation to choose a password goes there."
            autoComplete="off"
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField field={fields.firstName} label="First name" autoComplete="off" />
            <TextField field={fields.lastName} label="Last name" autoComplete="off" />
          </div>
          <TextField field={fields.businessName} label="Business name" autoComplete="off" />
          <SelectField
            field={fields.subscriptionStatus}
            label="Plan"
            choices={[
              { value: 'free', label: 'Free' },
              { value: 'pro', label: 'Pro' },
              { value: 'premium', label: 'Premium' },
            ]}
          />
          <DialogSubmit busy={busy} busyLabel="Adding...">
            Add Coach
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
