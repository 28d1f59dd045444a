import { Form } from '@remix-run/react'
import { History, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { toFieldText } from '#app/lib/edit-conflict.ts'
import { withQuery } from '#app/lib/url.ts'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { FormErrorSummary, useMergeConflict } from '#app/ui/forms/merge-conflict.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ProspectFields, prospectLabels, type ProspectChoices, type ProspectTexts } from './prospect-fields.tsx'

export type EditedProspect = ProspectTexts & {
  id: number
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
  const { form, fields, busy, conflict, openedIn } = useProspectForm(intent, prospect, stageId, choices)
  return (
    <Dialog title={prospect ? 'Edit Prospect' : 'Add New Prospect'} closeTo={closeTo} position="side">
      <DialogBody>
        {prospect && <ProspectLinks links={prospect.links} />}
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset onInput={conflict.onInput}>
          <input type="hidden" name="intent" value={intent} />
          {prospect && <input type="hidden" name="id" value={prospect.id} />}
          {prospect && (
            <input type="hidden" name="openedIn" value={conflict.hasConflict ? prospect.stageId : openedIn} />
          )}
          {prospect && conflict.inputs}
          <FormErrorSummary form={form} notice={conflict.notice} subject="This prospect" />
          <ProspectFields fields={fields} choices={choices} focusEmail={needsEmail} showFourFs={hasFourFs(prospect)} />
          {prospect && <Activities {...prospect} />}
          <DialogSubmit sticky busy={busy} aside={prospect && <MoreActions id={prospect.id} closeTo={closeTo} />}>
            {prospect ? 'Save' : 'Add Prospect'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

function useProspectForm(
  intent: string,
  prospect: EditedProspect | undefined,
  stageId: string | undefined,
  { stages, products }: ProspectChoices,
) {
  // The prospect may be moved while the dialog is open.
  const [initialStage] = useState(prospect?.stageId)
  const { form, fields, busy } = useServerForm<ProspectTexts & Record<'version' | 'was' | 'openedIn', string>>({
    id: `${intent}-prospect`,
    intent,
    values: prospect
      ? { ...toTexts(prospect), openedIn: initialStage }
      : { stageId: stageId ?? stages[0]?.value, probability: '0' },
  })
  const openedIn = toFieldText(fields.openedIn.initialValue)
  const chosenStage = toFieldText(fields.stageId.initialValue)
  const movedElsewhere = chosenStage !== openedIn && ![openedIn, chosenStage].includes(prospect?.stageId ?? '')
  const conflict = useMergeConflict({
    fields,
    wasRejected: Boolean(prospect && form.errors?.length),
    labels: prospectLabels,
    current: prospect ? { version: prospect.version, texts: toTexts(prospect) } : noProspect,
    hasMoved: Boolean(prospect) && movedElsewhere,
    subject: 'This prospect',
    formatValue: (name, text) => {
      const choices = name === 'stageId' ? stages : name === 'productId' ? products : []
      return choices.find(({ value }) => value === text)?.label ?? text
    },
  })
  return { form, fields, busy, conflict, openedIn }
}

const toTexts = (prospect: Partial<ProspectTexts>): ProspectTexts =>
  Object.fromEntries(prospectLabels.map(([name]) => [name, toFieldText(prospect[name])])) as ProspectTexts
const noProspect = { version: 0, texts: toTexts({}) }

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
