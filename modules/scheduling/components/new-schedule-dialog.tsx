import { Form } from '@remix-run/react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { scheduleFields } from '../booking-fields.ts'

export function NewScheduleDialog({ closeTo }: { closeTo: string }) {
  const { form, fields, busy } = useServerForm({ name: scheduleFields.name }, { id: 'new-schedule', intent: 'create' })
  return (
    <Dialog title="New Schedule" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="mt-1 grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="create" />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField field={fields.name} autoComplete="off" hint="Such as Evenings or Summer. Set its hours next." />
          <DialogSubmit busy={busy}>Add Schedule</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
