import { HistoryLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useFetcherForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { typeNameFields } from '../fields.ts'

/** Adds an appointment type, or renames `type`. */
export function TypeDialog({
  type,
  suggested = [],
  closeTo,
}: {
  type: { id: number; name: string } | null
  suggested?: string[]
  closeTo: string
}) {
  const intent = type ? 'edit-type' : 'add-type'
  const { form, fields, busy, fetcher } = useFetcherForm(typeNameFields, {
    id: 'appointment-type',
    intent,
    values: { name: type?.name ?? '' },
  })
  return (
    <Dialog title={type ? 'Edit Appointment Type' : 'Add Appointment Type'} closeTo={closeTo}>
      <DialogBody>
        <fetcher.Form
          method="post"
          action={`/calendar?dialog=${intent}${type ? `&type=${type.id}` : ''}`}
          {...form.props}
          className="mt-1 grid gap-4"
          preventScrollReset
        >
          <input type="hidden" name="intent" value={intent} />
          {type && <input type="hidden" name="id" value={type.id} />}
          <FormError id={form.errorId} errors={form.errors} />
          <TextField field={fields.name} autoComplete="off" list={suggested.length ? 'suggested-types' : undefined} />
          {suggested.length > 0 && (
            <datalist id="suggested-types">
              {suggested.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          )}
          {type && (
            <p className="text-sm">
              <Link to={`/calendar/types/${type.id}`} className="link">
                How it can be booked
              </Link>
            </p>
          )}
          <DialogSubmit busy={busy} aside={type && <HistoryLink kind="appointment_type" id={type.id} />}>
            {type ? 'Save' : 'Add Type'}
          </DialogSubmit>
        </fetcher.Form>
      </DialogBody>
    </Dialog>
  )
}
