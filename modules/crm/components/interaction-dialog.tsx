import { Form } from '@remix-run/react'
import { toFieldText } from '#app/lib/edit-conflict.ts'
import { HistoryLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import { FormErrorSummary, useMergeConflict, type FieldLabels } from '#app/ui/forms/merge-conflict.tsx'
import { interactionFields } from '../fields.ts'

type Fields = Record<'name' | 'interactionDate' | 'content' | 'version' | 'was', string>
/** `id`: null for a new one. `interactionDate`: a date in the coach's time zone. */
export type EditedInteraction = {
  id: number | null
  name: string
  interactionDate: string
  content: string | null
  version: number
}

const labels = [
  ['name', interactionFields.name.label],
  ['interactionDate', interactionFields.interactionDate.label],
  ['content', interactionFields.content.label],
] as const satisfies FieldLabels<keyof Fields>

export function InteractionDialog({ interaction, closeTo }: { interaction: EditedInteraction; closeTo: string }) {
  const { id, version } = interaction
  const current = {
    version,
    texts: {
      name: interaction.name,
      interactionDate: interaction.interactionDate,
      content: toFieldText(interaction.content),
    },
  }
  const { form, fields, busy } = useServerForm<Fields>({
    id: 'interaction',
    intent: 'interaction',
    values: current.texts,
  })
  const tabs = useMergeConflict({
    fields,
    wasRejected: Boolean(form.errors?.length),
    labels,
    current,
    subject: 'This interaction',
  })
  return (
    <Dialog title={id === null ? 'Add Interaction' : 'Edit Interaction'} closeTo={closeTo} position="side">
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset onInput={tabs.onInput}>
          <input type="hidden" name="intent" value="interaction" />
          {id !== null && tabs.inputs}
          <FormErrorSummary form={form} notice={tabs.notice} subject="This interaction" />
          <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_11rem]">
            <TextField
              field={{ ...fields.name, required: true, maxLength: 255 }}
              label={interactionFields.name.label}
              autoComplete="off"
              data-autofocus
            />
            <TextField
              field={{ ...fields.interactionDate, required: true }}
              label={interactionFields.interactionDate.label}
              type="date"
              min="1900-01-01"
              max="2200-12-31"
            />
          </div>
          <RichTextField field={fields.content} label={interactionFields.content.label} rows={14} />
          <DialogSubmit busy={busy} aside={id !== null && <HistoryLink kind="client_interaction" id={id} />}>
            {id === null ? 'Add Interaction' : 'Save'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
