import { Form } from '@remix-run/react'
import type { Fields } from '#app/lib/fields.ts'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { FormError, SelectField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import type { ImportStep } from '../import-loader.server.ts'

type ColumnsStep = Extract<ImportStep, { step: 'columns' }>

export function ColumnMappingForm({
  step: { id, isMapped, columns, targetOptions, encodings, encoding },
  submitting,
}: {
  step: ColumnsStep
  /** The intent of the form that is being submitted. */
  submitting: string | null
}) {
  const { form, fields, busy } = useServerForm(toFields(columns), {
    id: 'columns',
    intent: 'columns',
    values: Object.fromEntries(columns.map(({ name, target }) => [name, target])),
  })
  return (
    <div className="grid gap-6">
      <section className="card" aria-label="Columns">
        <Form method="post" {...form.props}>
          <input type="hidden" name="intent" value="columns" />
          {form.errors && (
            <div className="px-5 pt-5 pb-2">
              <FormError id={form.errorId} errors={form.errors} />
            </div>
          )}
          <ul className="rows">
            {columns.map(({ name, header, samples }) => (
              <li key={name} className="grid items-center gap-x-6 gap-y-2 px-5 py-3 md:grid-cols-[1fr_16rem]">
                <span className="min-w-0">
                  <span className="block truncate font-medium">{header}</span>
                  <span className="block truncate text-sm text-ink-3">{samples.join(' · ')}</span>
                </span>
                <SelectField
                  field={fields[name]!}
                  label={<span className="sr-only">{fields[name]!.label}</span>}
                  choices={targetOptions}
                />
              </li>
            ))}
          </ul>
          <div className="flex flex-wrap justify-end gap-2 border-t border-line-soft px-5 py-4">
            {isMapped && <ButtonLink to={`/clients/import/${id}`}>Cancel</ButtonLink>}
            <Button type="submit" variant="primary" busy={busy} busyLabel="Reading...">
              Preview
            </Button>
          </div>
        </Form>
      </section>
      <details className="card px-5 py-4" open={encoding !== '' || undefined}>
        <summary className="cursor-pointer font-medium">Letters look wrong?</summary>
        <Form method="post" className="mt-4 flex flex-wrap items-end gap-3">
          <input type="hidden" name="intent" value="encoding" />
          <SelectField
            field={{ id: 'encoding', name: 'encoding' }}
            label="Encoding of the file"
            defaultValue={encoding}
            choices={encodings}
          />
          <Button type="submit" busy={submitting === 'encoding'}>
            Re-read file
          </Button>
        </Form>
      </details>
    </div>
  )
}

function toFields(columns: ColumnsStep['columns']): Fields {
  return Object.fromEntries(columns.map(({ name, header }) => [name, { kind: 'text', label: `Import “${header}” as` }]))
}
