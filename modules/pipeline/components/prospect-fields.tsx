import type { Timezone } from '#app/lib/timezones.ts'
import { SelectField, TextField, type Choice } from '#app/ui/forms/field.tsx'
import type { ServerForm } from '#app/ui/forms/form.ts'
import { TimezoneField } from '#app/ui/forms/timezone-field.tsx'
import { RichTextField } from '#app/ui/rich-text/field.tsx'

export const prospectLabels = [
  ['name', 'Name'],
  ['stageId', 'Stage'],
  ['email', 'Email'],
  ['phone', 'Phone'],
  ['company', 'Company'],
  ['title', 'Title'],
  ['value', 'Value'],
  ['probability', 'Probability'],
  ['nextFollowUp', 'Next follow-up'],
  ['productId', 'Product'],
  ['source', 'Source'],
  ['location', 'Location'],
  ['profession', 'Profession'],
  ['timezone', 'Timezone'],
  ['notes', 'Notes'],
  ['futureGoals', 'Future goals'],
  ['frustrations', 'Frustrations'],
  ['fears', 'Fears'],
  ['failures', 'Past failures'],
] as const
export type ProspectFieldName = (typeof prospectLabels)[number][0]
export type ProspectTexts = Record<ProspectFieldName, string>
const fourFLabels = prospectLabels.slice(-4)

type Fields = ServerForm<ProspectTexts>['fields']
export type ProspectChoices = { stages: Choice[]; products: Choice[]; sources: string[]; zones: Timezone[] }

/** All fields of a prospect. `showFourFs`: with the 4 F's open. `focusEmail`: instead of the name. */
export function ProspectFields({
  fields,
  choices: { stages, products, sources, zones },
  focusEmail,
  showFourFs,
}: {
  fields: Fields
  choices: ProspectChoices
  focusEmail: boolean
  showFourFs: boolean
}) {
  return (
    <>
      <ContactFields fields={fields} stages={stages} focusEmail={focusEmail} />
      <SalesFields fields={fields} products={products} sources={sources} />
      <Pair>
        <TextField field={{ ...fields.location, maxLength: 255 }} label="Location" autoComplete="off" />
        <TextField field={{ ...fields.profession, maxLength: 255 }} label="Profession" autoComplete="off" />
      </Pair>
      <TimezoneField field={fields.timezone} zones={zones} />
      <RichTextField field={fields.notes} label="Notes" />
      <details
        className="grid gap-4"
        open={showFourFs || fourFLabels.some(([name]) => fields[name].errors) || undefined}
      >
        <summary className="h2 cursor-pointer py-1">4 F’s</summary>
        <div className="mt-3 grid gap-4">
          {fourFLabels.map(([name, label]) => (
            <RichTextField key={name} field={fields[name]} label={label} />
          ))}
        </div>
      </details>
    </>
  )
}

function ContactFields({ fields, stages, focusEmail }: { fields: Fields; stages: Choice[]; focusEmail: boolean }) {
  return (
    <>
      <Pair>
        <TextField
          field={{ ...fields.name, required: true, maxLength: 255 }}
          label="Name"
          autoComplete="off"
          data-autofocus={!focusEmail || undefined}
        />
        <SelectField field={{ ...fields.stageId, required: true }} label="Stage" choices={stages} />
      </Pair>
      <Pair>
        <TextField
          field={{ ...fields.email, maxLength: 254 }}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          data-autofocus={focusEmail || undefined}
        />
        <TextField field={{ ...fields.phone, maxLength: 255 }} label="Phone" type="tel" autoComplete="off" />
      </Pair>
      <Pair>
        <TextField field={{ ...fields.company, maxLength: 255 }} label="Company" autoComplete="off" />
        <TextField field={{ ...fields.title, maxLength: 255 }} label="Title" autoComplete="off" />
      </Pair>
    </>
  )
}

function SalesFields({ fields, products, sources }: { fields: Fields; products: Choice[]; sources: string[] }) {
  return (
    <>
      <Pair>
        <TextField field={fields.value} label="Value ($)" inputMode="decimal" autoComplete="off" placeholder="0.00" />
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
        <TextField field={fields.nextFollowUp} label="Next follow-up" type="date" min="1900-01-01" max="2200-12-30" />
        <SelectField field={fields.productId} label="Product" choices={products}>
          <option value="">None yet</option>
        </SelectField>
      </Pair>
      <TextField
        field={{ ...fields.source, maxLength: 255 }}
        label="Source"
        hint="How they found you"
        autoComplete="off"
        list="sources"
      />
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
