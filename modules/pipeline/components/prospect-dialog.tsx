import { Form } from '@remix-run/react'
import { History, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Zone } from '#app/lib/timezones.ts'
import { textOf } from '#app/lib/edit-conflict.ts'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { SelectField, TextField, type Choice } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import { TimezoneField } from '#app/ui/forms/timezone-field.tsx'
import { RefusedForm, useTwoTabs, type Labels } from '#app/ui/forms/merge-conflict.tsx'
import { andMore } from './prospect-card.tsx'

type Fields = Record<
  | 'name'
  | 'email'
  | 'phone'
  | 'location'
  | 'profession'
  | 'timezone'
  | 'company'
  | 'title'
  | 'stageId'
  | 'value'
  | 'probability'
  | 'source'
  | 'notes'
  | 'futureGoals'
  | 'frustrations'
  | 'fears'
  | 'failures'
  | 'productId'
  | 'nextFollowUp',
  string
>
export type EditedProspect = { [Name in keyof Fields]: string } & {
  id: number
  version: number
  activities: { id: number; description: string; when: string }[] /** There are older ones. */
  more: boolean /** Where one may go from here. */
  places: { label: string; to: string }[]
}

type Offered = { stages: Choice[]; products: Choice[]; sources: string[]; zones: Zone[]; closeTo: string }

/** Adds a prospect, or edits one with all that is known and its history. `needsEmail`: the address is what it was opened for. */
export function ProspectDialog({
  prospect,
  needsEmail = false,
  stageId,
  stages,
  products,
  sources,
  zones,
  closeTo,
}: Offered & { prospect?: EditedProspect; needsEmail?: boolean; stageId?: string }) {
  const intent = prospect ? 'edit' : 'add'
  // It may be moved behind an open dialog.
  const [opened] = useState(prospect?.stageId)
  const { form, fields, busy } = useServerForm<Fields & Record<'version' | 'was' | 'openedIn', string>>({
    id: `${intent}-prospect`,
    intent,
    values: prospect
      ? { ...textsOf(prospect), openedIn: opened }
      : { stageId: stageId ?? stages[0]?.value, probability: '0' },
  })
  const refused = Boolean(form.errors?.length)
  // Two that move it to different stages; who only left it open is not told of a move.
  const [openedIn, wanted] = [textOf(fields.openedIn.initialValue), textOf(fields.stageId.initialValue)]
  const moved = Boolean(prospect) && wanted !== openedIn && ![openedIn, wanted].includes(prospect?.stageId ?? '')
  const tabs = useTwoTabs({
    fields,
    refused: Boolean(prospect) && refused,
    labels,
    current: prospect ? { version: prospect.version, texts: textsOf(prospect) } : nothing,
    moved,
    what: 'This prospect',
    shown: (name, text) =>
      (name === 'stageId' ? stages : name === 'productId' ? products : []).find(({ value }) => value === text)?.label ??
      text,
  })

  return (
    <Dialog title={prospect ? 'Edit Prospect' : 'Add New Prospect'} closeTo={closeTo} place="side">
      <DialogBody>
        {prospect && prospect.places.length > 0 && (
          <p className="mb-4 flex flex-wrap gap-2">
            {prospect.places.map(({ label, to }) => (
              <ButtonLink key={to} to={to} size="sm">
                {label}
              </ButtonLink>
            ))}
          </p>
        )}
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset onInput={tabs.onInput}>
          <input type="hidden" name="intent" value={intent} />
          {prospect && <input type="hidden" name="id" value={prospect.id} />}
          {prospect && <input type="hidden" name="openedIn" value={tabs.told ? prospect.stageId : openedIn} />}
          {prospect && tabs.inputs}
          <RefusedForm form={form} notice={tabs.notice} what="This prospect" />
          <Pair>
            <TextField
              field={{ ...fields.name, required: true, maxLength: 255 }}
              label="Name"
              autoComplete="off"
              data-autofocus={!needsEmail || undefined}
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
              data-autofocus={needsEmail || undefined}
            />
            <TextField field={{ ...fields.phone, maxLength: 255 }} label="Phone" type="tel" autoComplete="off" />
          </Pair>
          <Pair>
            <TextField field={{ ...fields.company, maxLength: 255 }} label="Company" autoComplete="off" />
            <TextField field={{ ...fields.title, maxLength: 255 }} label="Title" autoComplete="off" />
          </Pair>
          <Pair>
            <TextField
              field={fields.value}
              label="Value"
              hint="In dollars"
              inputMode="decimal"
              autoComplete="off"
              placeholder="0.00"
            />
            <TextField
              field={fields.probability}
              label="Probability"
              hint="In percent, from 0 to 100"
              type="number"
              inputMode="numeric"
              min={0}
              max={100}
              step={1}
            />
          </Pair>
          <Pair>
            <TextField
              field={fields.nextFollowUp}
              label="Next follow-up"
              type="date"
              min="1900-01-01"
              max="2200-12-30"
            />
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
          <Pair>
            <TextField field={{ ...fields.location, maxLength: 255 }} label="Location" autoComplete="off" />
            <TextField field={{ ...fields.profession, maxLength: 255 }} label="Profession" autoComplete="off" />
          </Pair>
          <TimezoneField field={fields.timezone} zones={zones} />
          <RichTextField field={fields.notes} label="Notes" />
          <details
            className="grid gap-4"
            open={fourFs.some(([name]) => prospect?.[name] || fields[name].errors) || undefined}
          >
            <summary className="h2 cursor-pointer py-1">4 F’s</summary>
            <div className="mt-3 grid gap-4">
              {fourFs.map(([name, label]) => (
                <RichTextField key={name} field={fields[name]} label={label} />
              ))}
            </div>
          </details>
          {prospect && <Story {...prospect} />}
          <DialogSubmit
            sticky
            busy={busy}
            aside={
              prospect && (
                <>
                  <Link
                    to={andMore(closeTo, { dialog: 'delete', prospect: String(prospect.id) })}
                    replace
                    preventScrollReset
                    className="btn btn-ghost btn-icon"
                    aria-label="Delete Prospect"
                  >
                    <Trash2 className="i" />
                  </Link>
                  <Link to={`/history/prospect/${prospect.id}`} className="btn btn-ghost btn-icon" aria-label="History">
                    <History className="i" />
                  </Link>
                </>
              )
            }
          >
            {prospect ? 'Save' : 'Add Prospect'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

const fourFs = [
  ['futureGoals', 'Future goals'],
  ['frustrations', 'Frustrations'],
  ['fears', 'Fears'],
  ['failures', 'Past failures'],
] as const
const labels = [
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
  ...fourFs,
] as const satisfies Labels<keyof Fields>
const textsOf = (prospect: Partial<Fields>): Fields =>
  Object.fromEntries(labels.map(([name]) => [name, textOf(prospect[name])])) as Fields
const nothing = { version: 0, texts: textsOf({}) }

function Pair({ children }: { children: React.ReactNode }) {
  return <div className="grid gap-4 sm:grid-cols-2">{children}</div>
}

/** What happened with the prospect, latest first. */
function Story({ id: prospectId, activities, more }: Pick<EditedProspect, 'id' | 'activities' | 'more'>) {
  return (
    <section aria-labelledby="story">
      <h3 id="story" className="h2 mb-1.5">
        Activity
      </h3>
      <ol className="rows">
        {activities.map(({ id, description, when }) => (
          <li key={id} className="flex justify-between gap-4 py-1.5 text-sm">
            <span className="min-w-0 wrap-anywhere">{description}</span>
            <span className="shrink-0 text-ink-3">{when}</span>
          </li>
        ))}
      </ol>
      {more && (
        <Link to={`/history/prospect/${prospectId}`} className="link text-sm">
          Everything that was done
        </Link>
      )}
    </section>
  )
}

/** In the place of the dialog of a prospect that became a client, perhaps in another tab. */
export function ConvertedDialog({ name, clientId, closeTo }: { name: string; clientId: number; closeTo: string }) {
  return (
    <Dialog title={`${name} is a client now`} closeTo={closeTo}>
      <DialogBody>
        <p className="text-ink-2">The notes and the rest went along.</p>
        <DialogActions>
          <DialogClose>Close</DialogClose>
          <ButtonLink to={`/clients/${clientId}`} variant="primary" data-autofocus>
            View Client
          </ButtonLink>
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}
