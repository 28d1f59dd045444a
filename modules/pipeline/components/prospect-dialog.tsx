import { Form } from '@remix-run/react'
import { History, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formValues } from '#app/lib/fields.ts'
import { inputFormat } from '#app/lib/money.ts'
import { useCurrency } from '#app/ui/components/currency.ts'
import { withQuery } from '#app/lib/url.ts'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { useServerForm, type ServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { prospectFields } from '../fields.ts'
import type { ProspectRecord } from '../records.ts'
import { ProspectFields, type ProspectChoices } from './prospect-fields.tsx'

export type EditedProspect = Pick<ProspectRecord, keyof typeof prospectFields | 'id'> & {
  version: number
  activities: { id: number; description: string; when: string }[]
  hasMoreActivities: boolean
  links: { label: string; to: string }[]
}

/** Adds a prospect, or edits one. `needsEmail`: it was opened to add the email address. */
export function ProspectDialog({
  prospect,
  needsEmail = false,
  stageId,
  choices,
  closeTo,
}: {
  prospect?: EditedProspect
  needsEmail?: boolean
  stageId?: string
  choices: ProspectChoices
  closeTo: string
}) {
  const intent = prospect ? 'edit' : 'add'
  const currency = useCurrency()
  const values = prospect
    ? editValues(prospect, currency)
    : { stageId: stageId ?? choices.stages[0]?.value, probability: '0' }
  const state = useServerForm(prospectFields, { id: `${intent}-prospect`, intent, values })
  const conflict = useEditConflict(state, {
    noun: 'prospect',
    current: prospect ? { version: prospect.version, values } : null,
  })
  const { form, busy } = state
  const { fields } = conflict
  return (
    <Dialog title={prospect ? 'Edit Prospect' : 'Add New Prospect'} closeTo={closeTo} position="side">
      <DialogBody>
        {prospect && <ProspectLinks links={prospect.links} />}
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value={intent} />
          {prospect && <input type="hidden" name="id" value={prospect.id} />}
          {prospect && <OriginalStage state={state} hasConflict={conflict.hasConflict} stageId={prospect.stageId} />}
          {conflict.inputs}
          {conflict.notice}
          <ProspectFields fields={fields} choices={choices} focusEmail={needsEmail} showFourFs={hasFourFs(prospect)} />
          {prospect && <Activities {...prospect} />}
          <DialogSubmit busy={busy} aside={prospect && <MoreActions id={prospect.id} closeTo={closeTo} />}>
            {prospect ? 'Save' : 'Add Prospect'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

/** A value of 0 is shown as an empty input. */
const editValues = (prospect: EditedProspect, currency: string) => ({
  ...formValues(prospectFields, prospect, inputFormat(currency)),
  ...(prospect.value ? {} : { value: '' }),
})

/** The stage that the form was opened with, so that an unchanged stage doesn't undo a move in another tab. */
function OriginalStage({
  state,
  hasConflict,
  stageId,
}: {
  state: ServerForm<typeof prospectFields>
  hasConflict: boolean
  stageId: number
}) {
  const [initial] = useState(stageId)
  const { openedIn = String(initial) } = (state.submitted ?? {}) as Record<string, string>
  return <input type="hidden" name="openedIn" value={hasConflict ? stageId : openedIn} />
}

const hasFourFs = (prospect?: EditedProspect): boolean =>
  Boolean(prospect && (prospect.futureGoals || prospect.frustrations || prospect.fears || prospect.failures))

function ProspectLinks({ links }: Pick<EditedProspect, 'links'>) {
  if (!links.length) return null
  return (
    <p className="mb-4 flex flex-wrap gap-2">
      {links.map(({ label, to }) => (
        <ButtonLink key={to} to={to} size="sm">
          {label}
        </ButtonLink>
      ))}
    </p>
  )
}

function Activities({
  id: prospectId,
  activities,
  hasMoreActivities,
}: Pick<EditedProspect, 'id' | 'activities' | 'hasMoreActivities'>) {
  return (
    <section aria-labelledby="activities">
      <h3 id="activities" className="h2 mb-1.5">
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
      {hasMoreActivities && (
        <Link to={`/history/prospect/${prospectId}`} className="link text-sm">
          Show all changes
        </Link>
      )}
    </section>
  )
}

function MoreActions({ id, closeTo }: { id: number; closeTo: string }) {
  return (
    <>
      <Link
        to={withQuery(closeTo, { dialog: 'delete', prospect: String(id) })}
        replace
        preventScrollReset
        className="btn btn-ghost btn-icon"
        aria-label="Delete Prospect"
      >
        <Trash2 className="i" />
      </Link>
      <Link to={`/history/prospect/${id}`} className="btn btn-ghost btn-icon" aria-label="History">
        <History className="i" />
      </Link>
    </>
  )
}

/** Replaces the dialog of a prospect that became a client. */
export function ConvertedDialog({ name, clientId, closeTo }: { name: string; clientId: number; closeTo: string }) {
  return (
    <Dialog title={`${name} is a client now`} closeTo={closeTo}>
      <DialogBody>
        <p className="text-ink-2">Notes and details were copied.</p>
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
