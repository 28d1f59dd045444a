import { Form, Link } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import type { Zone } from '#app/lib/timezones.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogBody } from '#app/ui/dialog.tsx'
import { FormError, type FieldLike } from '#app/ui/field.tsx'
import { useServerForm } from '#app/ui/form.ts'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import { useUnsaved } from '#app/ui/unsaved.ts'
import { ContactFields, WordsField, WorkFields, type ClientFormFields } from './client-fields.tsx'

export type EditedClient = { [Name in keyof ClientFormFields]: string | number | null } & { version: number }

/** Edits a client. When another tab saved meanwhile it says what differs; what was typed stays until it is saved or left. */
export function EditClientDialog({ client, closeTo, zones }: { client: EditedClient; closeTo: string; zones: Zone[] }) {
  const { form, fields, busy } = useServerForm<ClientFormFields & { version: string }>({
    id: 'edit-client',
    intent: 'edit',
    values: { ...textsOf(client), version: String(client.version) },
  })
  const [opened] = useState(client.version)
  const unsaved = useUnsaved(Boolean(form.errors) || labels.some(([name]) => fields[name].errors))
  const sent = Number(fields.version.initialValue)
  // Only what this form was told about may be overwritten by it.
  const told = form.errors?.length && sent !== client.version
  const differing = told ? labels.filter(([name]) => textOf(fields[name].initialValue) !== textsOf(client)[name]) : []

  return (
    <Dialog title="Edit Client" closeTo={closeTo} place="side">
      <DialogBody>
        <Form method="post" id={form.id} className="grid gap-4" preventScrollReset {...unsaved}>
          <input type="hidden" name="intent" value="edit" />
          <input type="hidden" name="version" value={told ? client.version : opened} />
          {told ? <SavedMeanwhile client={client} differing={differing} fields={fields} /> : <FormError id={form.errorId} errors={form.errors} />}
          <ContactFields fields={fields} zones={zones} />
          <WorkFields fields={fields} />
          <WordsField field={fields.goals} label="Goals" />
          <RichTextField field={fields.notes} label="Session Notes & Observations" />
          <fieldset className="grid gap-4">
            <legend className="h2 mb-3">4Fs Assessment Framework</legend>
            <WordsField field={fields.futureGoals} label="Future Goals" />
            <WordsField field={fields.frustrations} label="Frustrations" />
            <WordsField field={fields.fears} label="Fears" />
            <WordsField field={fields.failures} label="Past Failures" />
          </fieldset>
          <div className="sticky bottom-0 -mx-5 -mb-5 flex justify-end gap-2 border-t border-line bg-raised px-5 py-3.5 sm:-mx-6 sm:-mb-6 sm:px-6">
            <Link to={closeTo} preventScrollReset className="btn btn-secondary">
              Cancel
            </Link>
            <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
              Save
            </Button>
          </div>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

const labels = [
  ['name', 'Name'], ['email', 'Email'], ['phone', 'Phone'], ['location', 'Location'], ['profession', 'Profession'], ['timezone', 'Timezone'],
  ['program', 'Program type'], ['status', 'Status'], ['progress', 'Progress'], ['goals', 'Goals'], ['notes', 'Session Notes & Observations'],
  ['futureGoals', 'Future Goals'], ['frustrations', 'Frustrations'], ['fears', 'Fears'], ['failures', 'Past Failures'],
] as const satisfies readonly (readonly [keyof ClientFormFields, string])[]

function SavedMeanwhile({
  client,
  differing,
  fields,
}: {
  client: EditedClient
  differing: (typeof labels)[number][]
  fields: { [Name in keyof ClientFormFields]: FieldLike }
}) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <div ref={notice} role="alert" tabIndex={-1} className="rounded-md bg-warning-soft px-4 py-3 text-ink shadow-[inset_0_0_0_1px_var(--warning-line)]">
      <p className="font-semibold">This client was saved in another tab meanwhile.</p>
      <p className="mt-0.5 text-sm text-ink-2">
        {differing.length
          ? 'Nothing you typed is lost. Compare what differs, take over what you want to keep, and save again: then your version counts.'
          : 'What was saved there is the same as what stands here.'}
      </p>
      {differing.length > 0 && (
        <ul className="mt-2 grid gap-2">
          {differing.map(([name, label]) => (
            <li key={name} className="flex items-start gap-3 border-t border-warning-line pt-2">
              <div className="min-w-0 flex-1">
                <span className="block text-sm font-medium">{label}, as saved there</span>
                <span className="line-clamp-4 text-sm whitespace-pre-wrap text-ink-2 wrap-anywhere">{textsOf(client)[name] || 'empty'}</span>
              </div>
              <Button size="sm" onClick={() => take(fields[name].id, textsOf(client)[name])}>
                Take over <span className="sr-only">{label}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Puts a text into a field as if it had been typed there. */
function take(id: string, text: string) {
  const field = document.getElementById(id)
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement)) return
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.focus()
}

function textsOf(client: EditedClient): Record<keyof ClientFormFields, string> {
  const { version: _, ...fields } = client
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)])) as Record<keyof ClientFormFields, string>
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
