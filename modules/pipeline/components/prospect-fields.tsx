import { useCurrency } from '#app/ui/components/currency.ts'
import type { Timezone } from '#app/lib/timezones.ts'
import { SelectField, TextField, type Choice } from '#app/ui/forms/field.tsx'
import type { ServerForm } from '#app/ui/forms/use-server-form.ts'
import { TimezoneField } from '#app/ui/forms/timezone-field.tsx'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import type { prospectFields } from '../fields.ts'

const fourFs = ['futureGoals', 'frustrations', 'fears', 'failures'] as const

type ProspectForm = ServerForm<typeof prospectFields>['fields']
export type ProspectChoices = { stages: Choice[]; products: Choice[]; sources: string[]; zones: Timezone[] }

/** All fields of a prospect. `showFourFs`: with the 4 F's open. `focusEmail`: instead of the name. */
export function ProspectFields({
  fields,
  choices: { stages, products, sources, zones },
  focusEmail,
  showFourFs,
}: {
  fields: ProspectForm
  choices: ProspectChoices
  focusEmail: boolean
  showFourFs: boolean
}) {
  return (
    <>
      <ContactFields fields={fields} stages={stages} focusEmail={focusEmail} />
      <SalesFields fields={fields} products={products} sources={sources} />
      <Pair>
        <TextField field={fields.location} autoComplete="off" />
        <TextField field={fields.profession} autoComplete="off" />
      </Pair>
      <TimezoneField field={fields.timezone} zones={zones} />
      <RichTextField field={fields.notes} label="Notes" />
      <details className="grid gap-4" open={showFourFs || fourFs.some((name) => fields[name].errors) || undefined}>
        <summary className="h2 cursor-pointer py-1">4 F's</summary>
        <div className="mt-3 grid gap-4">
          {fourFs.map((name) => (
            <RichTextField key={name} field={fields[name]} label={fields[name].label} rows={3} compact />
          ))}
        </div>
      </details>
    </>
  )
}

function ContactFields({
  fields,
  stages,
  focusEmail,
}: {
  fields: ProspectForm
  stages: Choice[]
  focusEmail: boolean
}) {
  return (
    <>
      <Pair>
        <TextField field={fields.name} autoComplete="off" data-autofocus={!focusEmail || undefined} />
        <SelectField field={fields.stageId} choices={stages} />
      </Pair>
      <Pair>
        <TextField
          field={fields.email}
          type="email"
          inputMode="email"
          autoComplete="off"
          data-autofocus={focusEmail || undefined}
        />
        <TextField field={fields.phone} type="tel" autoComplete="off" />
      </Pair>
      <Pair>
        <TextField field={fields.company} autoComplete="off" />
        <TextField field={fields.title} autoComplete="off" />
      </Pair>
    </>
  )
}

function SalesFields({ fields, products, sources }: { fields: ProspectForm; products: Choice[]; sources: string[] }) {
  const currency = useCurrency()
  return (
    <>
      <Pair>
        <TextField
          field={fields.value}
          label={`Value (${currency === 'usd' ? '$' : currency.toUpperCase()})`}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
        />
        <TextField
          field={fields.probability}
          label="Probability (%)"
          type="number"
          inputMode="numeric"
          min={0}
          max={100}
          step={1}
        />
      </Pair>
      <Pair>
        <TextField field={fields.nextFollowUp} type="date" min="1900-01-01" max="2200-12-30" />
        <SelectField field={fields.productId} choices={products}>
          <option value="">None yet</option>
        </SelectField>
      </Pair>
      <TextField field={fields.source} hint="How they found you" autoComplete="off" list="sources" />
      <datalist id="sources">
        {sources.map((source) => (
          <option key={source} value={source} />
        ))}
      </datalist>
    </>
  )
}

function Pair({ children }: { children: React.ReactNode }) {
  return <div className="grid gap-4 sm:grid-cols-2">{children}</div>
}
