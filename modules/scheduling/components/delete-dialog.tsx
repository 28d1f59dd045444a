import { Form, useNavigation } from '@remix-run/react'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import type { AppointmentView } from '../dialogs.ts'
import { ScopeField } from './scope-field.tsx'

/** Asks which sessions of a series to delete. */
export function DeleteAppointmentDialog({
  appointment: { id, title, attendeeName, when, repeats },
  closeTo,
}: {
  appointment: AppointmentView
  closeTo: string
}) {
  const busy = useNavigation().formData?.get('intent') === 'delete'
  return (
    <Dialog title="Delete Session" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" noValidate className="mt-1 grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="delete" />
          <input type="hidden" name="id" value={id} />
          <div>
            <p className="font-medium">
              {title}, {attendeeName}
            </p>
            <p>{when}</p>
            {repeats && <p className="text-sm text-ink-3">{repeats}</p>}
          </div>
          {repeats && <ScopeField label="Delete" />}
          <p className="hint">
            {repeats && 'Completed and past sessions stay. '}You can restore what you delete from the trash for 30 days.
          </p>
          <DialogSubmit busy={busy} busyLabel="Deleting..." danger>
            Delete
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
