import { useServerForm } from '#app/ui/forms/form.ts'
import { useMergeConflict } from '#app/ui/forms/merge-conflict.tsx'
import { clientLabels, toFormValues, type EditedClient, type EditFormFields } from './client-fields.tsx'

/** Shared by the edit dialog and the edit mode of the client's page. */
export function useClientForm(client: EditedClient, { id, intent }: { id: string; intent: string }) {
  const current = { version: client.version, texts: toFormValues(client) }
  const { form, fields, busy } = useServerForm<EditFormFields>({ id, intent, values: current.texts })
  const tabs = useMergeConflict({
    fields,
    wasRejected: Boolean(form.errors?.length),
    labels: clientLabels,
    current,
    subject: 'This client',
  })
  return { form, fields, busy, inputs: tabs.inputs, notice: tabs.notice, onInput: tabs.onInput }
}
