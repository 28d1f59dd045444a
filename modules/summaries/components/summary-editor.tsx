import { Form } from '@remix-run/react'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import type { Fields } from '#app/lib/fields.ts'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { SelectField, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { owners } from '../fields.ts'
import { inputName, readRows, readSource, sectionNames, sections, type Section } from '../summary-form.ts'

type Props = { id: number; version: number; values: Record<string, string>; clientName: string; closeTo: string }

/** Edits all claims of a summary; a row without text is removed. */
export function SummaryEditor({ id, version, values, clientName, closeTo }: Props) {
  const rows = Object.fromEntries(sectionNames.map((section) => [section, readRows(values, section)])) as Record<
    Section,
    ReturnType<typeof readRows>
  >
  const state = useServerForm(toFields(rows), { id: 'summary', intent: 'save', values })
  const { form } = state
  const conflict = useEditConflict(state, { noun: 'summary', current: { version, values } })
  return (
    <Form key={conflict.key} method="post" {...form.props} className="grid max-w-[48rem] gap-6" preventScrollReset>
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="id" value={id} />
      {conflict.inputs}
      {conflict.notice}
      {sectionNames.map((section) => (
        <Card key={section} title={sections[section]}>
          <ul className="grid gap-5 border-t border-line-soft p-5" aria-label={sections[section]}>
            {rows[section].map(({ row, source }, index) => (
              <li key={row} className="grid gap-2">
                <input type="hidden" name={inputName(section, row, 'source')} value={source} />
                <TextAreaField
                  field={conflict.fields[inputName(section, row, 'text')]!}
                  label={`${labels[section]} ${index + 1}`}
                  rows={2}
                  maxLength={1000}
                  hint={readQuote(source)}
                />
                {section === 'actions' && (
                  <div className="grid gap-2 sm:grid-cols-2">
                    <SelectField
                      field={conflict.fields[inputName(section, row, 'owner')]!}
                      label="Who"
                      choices={[
                        { value: '', label: 'Not said' },
                        { value: 'coach', label: owners.coach },
                        { value: 'client', label: clientName },
                      ]}
                    />
                    <TextField field={conflict.fields[inputName(section, row, 'due')]!} label="By" type="date" />
                  </div>
                )}
              </li>
            ))}
          </ul>
        </Card>
      ))}
      <div className="flex flex-wrap justify-end gap-2">
        <ButtonLink variant="ghost" to={closeTo}>
          Cancel
        </ButtonLink>
        <Button type="submit" variant="primary" busy={state.busy} busyLabel="Saving...">
          Save Summary
        </Button>
      </div>
    </Form>
  )
}

const labels: Record<Section, string> = { overview: 'Sentence', takeaways: 'Takeaway', actions: 'Action' }

const toFields = (rows: Record<Section, { row: number }[]>): Fields =>
  Object.fromEntries(
    sectionNames.flatMap((section) =>
      rows[section].flatMap(({ row }) =>
        (['text', 'owner', 'due'] as const).map((part) => [
          inputName(section, row, part),
          { kind: 'text', label: labels[section] },
        ]),
      ),
    ),
  )

function readQuote(source: string): string {
  const { lines, quote } = readSource(source) as { lines?: number[]; quote?: string }
  if (quote) return `From the transcript: “${quote}”`
  return lines?.length ? 'From the transcript, which is no longer kept' : 'Added by you'
}
