import { Form } from '@remix-run/react'
import { CloudLightning, History, ShieldAlert, Sunrise } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import type { Zone } from '#app/lib/timezones.ts'
import type { Icon } from '#app/ui/components/button.tsx'
import type { FieldLike } from '#app/ui/forms/field.tsx'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import { RefusedForm } from '#app/ui/forms/merge-conflict.tsx'
import { ContactFields, WorkFields } from './client-fields.tsx'
import type { useClientForm } from './client-form.tsx'

/** The client's page in its edit mode: the same places, with fields in them. `beside`: what stays in the left column. */
export function ClientEdit({
  edited,
  zones,
  beside,
}: {
  edited: ReturnType<typeof useClientForm>
  zones: Zone[]
  beside: ReactNode
}) {
  const { form, fields, notice } = edited
  const refused = Boolean(notice || form.errors?.length)
  const first = fields.name.id
  useEffect(() => {
    // A phone would cover half of the page with its keyboard at once; and who is typing already is not called away.
    const typing = document.activeElement?.matches('input, textarea, select')
    if (!typing && matchMedia('(pointer: fine)').matches) document.getElementById(first)?.focus({ preventScroll: true })
  }, [first])
  return (
    <div
      className={`grid items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)] ${refused ? 'lg:grid-rows-[auto_auto_1fr]' : 'lg:grid-rows-[auto_1fr]'}`}
    >
      <Form method="post" {...form.props} className="contents" preventScrollReset onInput={edited.onInput}>
        <input type="hidden" name="intent" value="save" />
        {edited.inputs}
        {refused && (
          <div className="col-span-full">
            <RefusedForm form={form} notice={notice} what="This client" />
          </div>
        )}
        <section className="card grid gap-4 px-5 pb-5 pt-4" aria-labelledby="information">
          <h2 id="information" className="h2">
            Client Information
          </h2>
          <ContactFields fields={fields} zones={zones} narrow />
          <WorkFields fields={fields} />
        </section>
        <div className="grid min-w-0 content-start gap-6 lg:row-span-2">
          <section className="card px-5 pb-5 pt-4">
            <RichTextField field={fields.goals} label="Client Goals" labelClass="h2 mb-1.5" rows={2} />
          </section>
          <section className="card px-5 pb-5 pt-4">
            <RichTextField
              field={fields.notes}
              label="Session Notes & Observations"
              labelClass="h2 mb-1.5"
              rows={9}
              aside={
                <span className="text-sm text-ink-3 max-sm:hidden pointer-coarse:hidden">
                  <kbd className="kbd">Ctrl</kbd> <kbd className="kbd">B</kbd> bold
                </span>
              }
            />
          </section>
          <section className="card overflow-hidden" aria-labelledby="four">
            <h2 id="four" className="h2 px-5 py-3.5">
              4Fs Assessment Framework
            </h2>
            <div className="grid gap-px border-t border-line-soft bg-line-soft xl:grid-cols-2">
              <Quarter label="Future Goals" icon={Sunrise} field={fields.futureGoals} />
              <Quarter label="Frustrations" icon={CloudLightning} field={fields.frustrations} />
              <Quarter label="Fears" icon={ShieldAlert} field={fields.fears} />
              <Quarter label="Past Failures" icon={History} field={fields.failures} />
            </div>
          </section>
        </div>
      </Form>
      <div className="grid content-start gap-6">{beside}</div>
    </div>
  )
}

function Quarter({ label, icon: Sign, field }: { label: string; icon: Icon; field: FieldLike }) {
  return (
    <div className="min-w-0 bg-surface p-5">
      <RichTextField
        field={field}
        rows={3}
        labelClass="mb-1.5 flex items-center gap-2 text-sm font-semibold text-ink-2"
        label={
          <>
            <Sign className="i !size-3.5 text-ink-3" />
            {label}
          </>
        }
      />
    </div>
  )
}
