import { Link } from '@remix-run/react'
import type { FormEvent, ReactNode } from 'react'
import { FormError } from '#app/ui/field.tsx'
import { useServerForm } from '#app/ui/form.ts'
import { useUnsaved } from '#app/ui/unsaved.ts'
import { clientLabels, textsOf, type EditedClient, type EditFormFields } from './client-fields.tsx'
import { useTwoTabs } from './two-tabs.tsx'

/** What both ways to edit a client share: the dialog of the list and the client's page. */
export function useClientForm(client: EditedClient, { id, intent }: { id: string; intent: string }) {
  const current = { version: client.version, texts: textsOf(client) }
  const { form, fields, busy } = useServerForm<EditFormFields>({ id, intent, values: current.texts })
  const refused = Boolean(form.errors?.length)
  const unsaved = useUnsaved(refused || clientLabels.some(([name]) => fields[name].errors))
  const tabs = useTwoTabs({ fields, refused, labels: clientLabels, current, what: 'This client' })
  return {
    form,
    fields,
    busy,
    inputs: tabs.inputs,
    notice: tabs.notice,
    handlers: {
      onInput: (event: FormEvent) => {
        unsaved.onInput()
        tabs.onInput(event)
      },
      onSubmit: unsaved.onSubmit,
    },
  }
}

/** Why the form as a whole was refused, and a way on. `what` it is about: 'This client'. */
export function RefusedForm({ form, notice, what = 'This client' }: { form: { errorId: string; errors: string[] | undefined }; notice: ReactNode; what?: string }) {
  if (notice) return <>{notice}</>
  // The one thing that a form of a record doesn't find is the record itself.
  if (!form.errors?.[0]?.endsWith(' not found')) return <FormError id={form.errorId} errors={form.errors} />
  return (
    <div id={form.errorId} tabIndex={-1} role="alert" className="rounded-md bg-warning-soft px-4 py-3 shadow-[inset_0_0_0_1px_var(--warning-line)]">
      <p className="font-semibold">{what} was deleted meanwhile.</p>
      <p className="mt-0.5 text-sm text-ink-2">
        What you typed stays here.{' '}
        <Link to="/trash" target="_blank" className="link">
          Restore it from the trash
        </Link>
        , then save again.
      </p>
    </div>
  )
}
