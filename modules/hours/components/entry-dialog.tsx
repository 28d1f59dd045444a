import { Form } from '@remix-run/react'
import { formValues } from '#app/lib/fields.ts'
import { ButtonLink, HistoryLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { SelectField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { entryFormFields } from '../fields.ts'
import { formatHours } from '../format.ts'
import type { EntryRecord } from '../records.ts'

type Props = { entry?: EntryRecord & { version: number }; closeTo: string; deleteTo?: string }

/** Adds an entry, or edits `entry`. */
export function EntryDialog({ entry, closeTo, deleteTo }: Props) {
  const intent = entry ? 'edit' : 'add'
  const hours = (minutes: number | undefined) => (minutes ? formatHours(minutes) : '')
  const values = formValues(entryFormFields, {
    ...entry,
    paidHours: hours(entry?.paidMinutes),
    proBonoHours: hours(entry?.proBonoMinutes),
  })
  const state = useServerForm(entryFormFields, { id: 'entry', intent, values })
  const current = entry ? { version: entry.version, values } : null
  const conflict = useEditConflict(state, { noun: 'entry', current })
  const { form, busy } = state
  const { fields } = conflict
  return (
    <Dialog title={entry ? 'Edit Hours' : 'Add Hours'} closeTo={closeTo}>
      <DialogBody>
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value={intent} />
          {entry && <input type="hidden" name="id" value={entry.id} />}
          {conflict.inputs}
          {conflict.notice}
          <p className="text-ink-2">For coaching that is not in your calendar, such as before you used it.</p>
          <TextField field={fields.clientName} autoComplete="off" />
          <TextField field={fields.contact} autoComplete="off" />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField field={fields.format} />
            <TextField field={fields.participants} inputMode="numeric" hint="For a group" />
            <TextField field={fields.startDate} type="date" />
            <TextField field={fields.endDate} type="date" />
            <TextField field={fields.paidHours} inputMode="decimal" hint="Such as 12 or 1.5" />
            <TextField field={fields.proBonoHours} inputMode="decimal" />
          </div>
          <DialogSubmit
            busy={busy}
            aside={
              entry && (
                <>
                  <HistoryLink kind="hours_entry" id={entry.id} />
                  {deleteTo && (
                    <ButtonLink variant="danger-ghost" to={deleteTo} replace preventScrollReset>
                      Delete
                    </ButtonLink>
                  )}
                </>
              )
            }
          >
            {entry ? 'Save' : 'Add Hours'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
