import { Form } from '@remix-run/react'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { FormError, SelectField, type Choice } from '#app/ui/forms/field.tsx'

export type ColumnChoice = { at: number; header: string; samples: string[]; target: string }

/** Which column is what, and in which encoding the file is read. */
export function ImportColumns({
  columns,
  choices,
  encodings,
  encoding,
  problem,
  busy,
  backTo,
}: {
  columns: ColumnChoice[]
  choices: Choice[]
  encodings: Choice[]
  encoding: string
  problem: string | null
  busy: string | null
  /** The preview, when there is one already. */
  backTo: string | null
}) {
  return (
    <div className="grid gap-6">
      <section className="card" aria-label="Columns">
        <Form method="post">
          {problem && (
            <div className="px-5 pt-5 pb-2">
              <FormError errors={[problem]} />
            </div>
          )}
          <ul className="rows">
            {columns.map(({ at, header, samples, target }) => (
              <li key={at} className="grid items-center gap-x-6 gap-y-2 px-5 py-3 md:grid-cols-[1fr_16rem]">
                <span className="min-w-0">
                  <span className="block truncate font-medium">{header}</span>
                  <span className="block truncate text-sm text-ink-3">{samples.join(' · ')}</span>
                </span>
                <SelectField
                  field={{ id: `column-${at}`, name: `column-${at}` }}
                  label={<span className="sr-only">{`“${header}” becomes`}</span>}
                  defaultValue={target}
                  choices={choices}
                />
              </li>
            ))}
          </ul>
          <div className="flex flex-wrap justify-end gap-2 border-t border-line-soft px-5 py-4">
            {backTo && <ButtonLink to={backTo}>Cancel</ButtonLink>}
            <Button
              type="submit"
              name="intent"
              value="columns"
              variant="primary"
              busy={busy === 'columns'}
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
          <Button type="submit" name="intent" value="encoding" busy={busy === 'encoding'}>
            Read Again
          </Button>
        </Form>
      </details>
    </div>
  )
}
