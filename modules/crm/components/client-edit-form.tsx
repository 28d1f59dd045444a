import { Form } from '@remix-run/react'
import { CloudLightning, History, ShieldAlert, Sunrise } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import type { Timezone } from '#app/lib/timezones.ts'
import type { Icon as IconComponent } from '#app/ui/components/button.tsx'
import type { FormField } from '#app/ui/forms/use-server-form.ts'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import { ContactFields, WorkFields } from './client-fields.tsx'
import type { useClientForm } from './client-form.tsx'

/** The client's page in edit mode, in the same layout. */
export function ClientEditForm({
  clientForm,
  timezones,
  sidebar,
}: {
  clientForm: ReturnType<typeof useClientForm>
  timezones: Timezone[]
  sidebar: ReactNode
}) {
  const { form, fields, notice, hasFailed } = clientForm
  const nameId = fields.name.id
  useEffect(() => {
    // Not on touch screens, where the keyboard would cover half of the page, and not while the user is typing already.
    const isTyping = document.activeElement?.matches('input, textarea, select')
    if (!isTyping && matchMedia('(pointer: fine)').matches)
      document.getElementById(nameId)?.focus({ preventScroll: true })
  }, [nameId])
  const rows = hasFailed ? 'lg:grid-rows-[auto_auto_1fr]' : 'lg:grid-rows-[auto_1fr]'
  return (
    <div className={`grid items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)] ${rows}`}>
      <Form method="post" {...form.props} className="contents" preventScrollReset onInput={clientForm.onInput}>
        {clientForm.hidden}
        {hasFailed && <div className="col-span-full">{notice}</div>}
        <section className="card grid gap-4 px-5 pb-5 pt-4" aria-labelledby="information">
          <h2 id="information" className="h2">
            Client Information
          </h2>
          <ContactFields fields={fields} timezones={timezones} narrow />
          <WorkFields fields={fields} />
        </section>
        <div className="grid min-w-0 content-start gap-6 lg:row-span-2">
          <section className="card px-5 pb-5 pt-4">
            <RichTextField field={fields.goals} label={fields.goals.label} labelClass="h2 mb-1.5" rows={2} compact />
          </section>
          <section className="card px-5 pb-5 pt-4">
            <RichTextField field={fields.notes} label={fields.notes.label} labelClass="h2 mb-1.5" rows={9} />
          </section>
          <section className="card overflow-hidden" aria-labelledby="four">
            <h2 id="four" className="h2 px-5 py-3.5">
              4Fs Assessment Framework
            </h2>
            <div className="grid gap-px border-t border-line-soft bg-line-soft xl:grid-cols-2">
              <FourFsEditor icon={Sunrise} field={fields.futureGoals} />
              <FourFsEditor icon={CloudLightning} field={fields.frustrations} />
              <FourFsEditor icon={ShieldAlert} field={fields.fears} />
              <FourFsEditor icon={History} field={fields.failures} />
            </div>
          </section>
        </div>
      </Form>
      <div className="grid content-start gap-6">{sidebar}</div>
    </div>
  )
}

function FourFsEditor({ icon: Icon, field }: { icon: IconComponent; field: FormField }) {
  return (
    <div className="min-w-0 bg-surface p-5">
      <RichTextField
        field={field}
        rows={3}
        compact
        labelClass="mb-1.5 flex items-center gap-2 text-sm font-semibold text-ink-2"
        label={
          <>
            <Icon className="i !size-3.5 text-ink-3" />
            {field.label}
          </>
        }
      />
    </div>
  )
}
