import { formValues } from '#app/lib/fields.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { clientFields, type ClientField } from '../fields.ts'
import type { ClientRecord } from '../records.ts'
import { useMergeConflict } from './merge-conflict.tsx'

export type EditedClient = Pick<ClientRecord, ClientField | 'id'> & { version: number }

/** Shared by the edit dialog and the edit mode of the client's page. */
export function useClientForm(client: EditedClient, { id, intent }: { id: string; intent: string }) {
  const texts = formValues(clientFields, client)
  const state = useServerForm(clientFields, { id, intent, values: texts })
  const { inputs, notice, onInput } = useMergeConflict(state, {
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
