import { Form } from '@remix-run/react'
import type { Fields } from '#app/lib/fields.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { searchClients, toGroups } from '#app/ui/forms/client-choices.ts'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { PersonCombobox } from '#app/ui/forms/person-combobox.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'

export type AssignOptions = {
  templates: { id: number; name: string }[]
  clients: { id: number; name: string }[]
  hasMore: boolean
}

const assignFields = {
  templateId: { kind: 'line', label: 'Program', required: 'Choose a template' },
  clientId: { kind: 'line', label: 'Client', required: 'Choose a client' },
  startDate: { kind: 'date', label: 'Begins' },
} as const satisfies Fields

/** Gives a client a copy of a template. */
export function AssignDialog(props: {
  options: AssignOptions
  values: { templateId: number | null; clientId: number | null; startDate: string }
  closeTo: string
}) {
  const { options, values, closeTo } = props
  const { templates, clients, hasMore } = options
  const { form, fields, busy } = useServerForm(assignFields, {
    id: 'assign',
    intent: 'assign',
    values: {
      templateId: String(values.templateId ?? templates[0]?.id ?? ''),
      clientId: String(values.clientId ?? ''),
      startDate: values.startDate,
    },
  })
  return (
    <Dialog title="Assign Program" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="assign" />
          <FormError id={form.errorId} errors={form.errors} />
          {templates.length === 0 && <p className="note">Add a template with a milestone first.</p>}
          <SelectField
            field={fields.templateId}
            choices={templates.map(({ id, name }) => ({ value: String(id), label: name }))}
            hint="The client gets a copy, which you can change by itself."
          />
          <PersonCombobox
            field={fields.clientId}
            placeholder="Choose a client"
            groups={toGroups(clients)}
            search={hasMore ? searchClients : undefined}
          />
          <TextField field={fields.startDate} type="date" />
          <DialogSubmit busy={busy}>Assign Program</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
