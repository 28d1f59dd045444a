import { formValues } from '#app/lib/fields.ts'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { clientFields, type ClientField } from '../fields.ts'
import type { ClientRecord } from '../records.ts'

export type EditedClient = Pick<ClientRecord, ClientField | 'id'> & { version: number }

/** Shared by the edit dialog and the edit mode of the client's page. */
export function useClientForm(client: EditedClient, { id, intent }: { id: string; intent: string }) {
  const texts = formValues(clientFields, client)
  const state = useServerForm(clientFields, { id, intent, values: texts })
  const { inputs, notice, onInput } = useEditConflict(state, {
    noun: 'client',
    current: { version: client.version, texts },
  })
  const { form, fields, busy } = state
  const hidden = (
    <>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={client.id} />
      {inputs}
    </>
  )
  return { form, fields, busy, hidden, notice, hasFailed: Boolean(form.errors?.length || form.error), onInput }
}
