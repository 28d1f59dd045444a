import { Form } from '@remix-run/react'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { FormError, SelectField, type Choice } from '#app/ui/forms/field.tsx'

export type ColumnOption = { index: number; header: string; samples: string[]; target: string }

export function ColumnMappingForm({
  columns,
  targetOptions,
  encodings,
  encoding,
  error,
  submitting,
  cancelTo,
}: {
  columns: ColumnOption[]
  targetOptions: Choice[]
  encodings: Choice[]
  encoding: string
  error: string | null
  /** The intent of the form that is being submitted. */
  submitting: string | null
  /** The preview, if there is one yet. */
  cancelTo: string | null
}) {
  return (
    <div className="grid gap-6">
      <section className="card" aria-label="Columns">
        <Form method="post">
          {error && (
            <div className="px-5 pt-5 pb-2">
              <FormError errors={[error]} />
            </div>
          )}
          <ul className="rows">
            {columns.map(({ index, header, samples, target }) => (
              <li key={index} className="grid items-center gap-x-6 gap-y-2 px-5 py-3 md:grid-cols-[1fr_16rem]">
                <span className="min-w-0">
                  <span className="block truncate font-medium">{header}</span>
                  <span className="block truncate text-sm text-ink-3">{samples.join(' · ')}</span>
                </span>
                <SelectField
                  field={{ id: `column-${index}`, name: `column-${index}` }}
                  label={<span className="sr-only">{`Import “${header}” as`}</span>}
                  defaultValue={target}
                  choices={targetOptions}
                />
              </li>
            ))}
          </ul>
          <div className="flex flex-wrap justify-end gap-2 border-t border-line-soft px-5 py-4">
            {cancelTo && <ButtonLink to={cancelTo}>Cancel</ButtonLink>}
            <Button
              type="submit"
              name="intent"
              value="columns"
              variant="primary"
              busy={submitting === 'columns'}
              busyLabel="Reading..."
            >
              Preview
            </Button>
          </div>
        </Form>
      </section>
      <details className="card px-5 py-4" open={encoding !== '' || undefined}>
        <summary className="cursor-pointer font-medium">Letters look wrong?</summary>
        <Form method="post" className="mt-4 flex flex-wrap items-end gap-3">
          <SelectField
            field={{ id: 'encoding', name: 'encoding' }}
            label="Encoding of the file"
            defaultValue={encoding}
            choices={encodings}
          />
          <Button type="submit" name="intent" value="encoding" busy={submitting === 'encoding'}>
            Re-read file
          </Button>
        </Form>
      </details>
    </div>
  )
}
