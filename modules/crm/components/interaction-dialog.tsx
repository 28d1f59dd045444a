import { Form } from '@remix-run/react'
import { formValues } from '#app/lib/fields.ts'
import { HistoryLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import { interactionFields } from '../fields.ts'

/** `id`: null for a new one. `interactionDate`: a date in the coach's time zone. */
export type EditedInteraction = {
  id: number | null
  name: string
  interactionDate: string
  content: string | null
  version: number
}

const { name, interactionDate, content } = interactionFields
const dialogFields = { name, interactionDate, content }

export function InteractionDialog({ interaction, closeTo }: { interaction: EditedInteraction; closeTo: string }) {
  const { id, version } = interaction
  const intent = id === null ? 'add-interaction' : 'edit-interaction'
  const values = formValues(dialogFields, interaction)
  const state = useServerForm(dialogFields, { id: 'interaction', intent, values })
  const conflict = useEditConflict(state, {
    noun: 'interaction',
    current: id === null ? null : { version, values },
  })
  const { form, busy } = state
  const { fields } = conflict
  return (
    <Dialog title={id === null ? 'Add Interaction' : 'Edit Interaction'} closeTo={closeTo} position="side">
      <DialogBody>
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value={intent} />
          {id !== null && <input type="hidden" name="id" value={id} />}
          {conflict.inputs}
          {conflict.notice}
          <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_11rem]">
            <TextField field={fields.name} autoComplete="off" data-autofocus />
            <TextField field={fields.interactionDate} type="date" min="1900-01-01" max="2200-12-31" />
          </div>
          <RichTextField field={fields.content} label={fields.content.label} rows={14} />
          <DialogSubmit busy={busy} aside={id !== null && <HistoryLink kind="client_interaction" id={id} />}>
            {id === null ? 'Add Interaction' : 'Save'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
