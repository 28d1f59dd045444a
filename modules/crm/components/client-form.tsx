import { useServerForm } from '#app/ui/forms/form.ts'
import { useTwoTabs } from '#app/ui/forms/merge-conflict.tsx'
import { clientLabels, textsOf, type EditedClient, type EditFormFields } from './client-fields.tsx'

/** What both ways to edit a client share: the dialog of the list and the client's page. */
export function useClientForm(client: EditedClient, { id, intent }: { id: string; intent: string }) {
  const current = { version: client.version, texts: textsOf(client) }
  const { form, fields, busy } = useServerForm<EditFormFields>({ id, intent, values: current.texts })
  const tabs = useTwoTabs({
    fields,
    refused: Boolean(form.errors?.length),
    labels: clientLabels,
    current,
    what: 'This client',
  })
  return { form, fields, busy, inputs: tabs.inputs, notice: tabs.notice, onInput: tabs.onInput }
}
