import { Form } from '@remix-run/react'
import { formValues } from '#app/lib/fields.ts'
import { Button } from '#app/ui/components/button.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import type { ContractPage } from '../contract-loader.server.ts'
import { contractFields } from '../fields.ts'
import { PlaceholderHint } from './placeholder-hint.tsx'

/** The text of a contract that was not sent yet. */
export function DraftForm({
  id,
  title,
  draft: { body, product, price, expiresInDays, version },
}: Pick<ContractPage, 'id' | 'title'> & { draft: NonNullable<ContractPage['draft']> }) {
  const values = formValues(contractFields, { title, body, product, price, expiresInDays })
  const state = useServerForm(contractFields, { id: 'contract', intent: 'edit', values })
  const conflict = useEditConflict(state, { noun: 'contract', current: { version, values } })
  const { fields } = conflict
  return (
    <Form key={conflict.key} method="post" {...state.form.props} className="card grid gap-4 p-5" preventScrollReset>
      <input type="hidden" name="intent" value="edit" />
      <input type="hidden" name="id" value={id} />
      {conflict.inputs}
      {conflict.notice}
      <TextField field={fields.title} autoComplete="off" />
      <TextAreaField field={fields.body} rows={20} />
      <PlaceholderHint />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField field={fields.product} autoComplete="off" />
        <TextField field={fields.price} inputMode="decimal" autoComplete="off" />
        <TextField field={fields.expiresInDays} inputMode="numeric" autoComplete="off" />
      </div>
      <Button type="submit" variant="primary" busy={state.busy} busyLabel="Saving..." className="justify-self-end">
        Save
      </Button>
    </Form>
  )
}
