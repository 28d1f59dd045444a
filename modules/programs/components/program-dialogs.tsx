import { Form } from '@remix-run/react'
import { formValues, type Fields } from '#app/lib/fields.ts'
import { ButtonLink, HistoryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { FormError, SelectField, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { goalFields, itemOwners, templateFields } from '../fields.ts'
import { programUrl } from '../list-state.ts'
import type { ProgramPage } from '../program-loader.server.ts'

/** The dialog of a client's program that its URL opens. */
export function ProgramDialog(data: ProgramPage) {
  const { id, name, client, state, goals, milestones } = data
  const { dialog } = state
  const closeTo = programUrl(id).href()
  const goal = goals.find((one) => one.id === state.goal)
  const milestone = milestones.find((one) => one.id === state.milestone)
  const item = milestones.flatMap(({ items }) => items).find((one) => one.id === state.item)
  if (dialog === 'details') return <DetailsDialog {...data} />
  if (dialog === 'shift') return <ShiftDialog {...data} />
  if (dialog === 'progress') return <ProgressDialog {...data} />
  if (dialog === 'goal') return state.goal && !goal ? null : <GoalDialog programId={id} goal={goal ?? null} />
  if (dialog === 'item' && milestone) return <ItemDialog programId={id} milestone={milestone} />
  if (dialog === 'delete')
    return (
      <ConfirmDialog
        title="Delete Program"
        confirm="Delete Program"
        busyLabel="Deleting..."
        closeTo={closeTo}
        fields={{ intent: 'delete', id: String(id) }}
      >
        “{name}” of {client.name} stays in the trash for 30 days. Its tasks and forms stay where they are.
      </ConfirmDialog>
    )
  if (dialog === 'delete-goal' && goal)
    return (
      <ConfirmDialog
        title="Delete Goal"
        confirm="Delete Goal"
        busyLabel="Deleting..."
        closeTo={closeTo}
        fields={{ intent: 'delete-goal', id: String(goal.id) }}
      >
        “{goal.title}” and its values stay in the trash for 30 days.
      </ConfirmDialog>
    )
  if (dialog !== 'delete-item' || !item) return null
  return (
    <ConfirmDialog
      title="Delete Item"
      confirm="Delete Item"
      busyLabel="Deleting..."
      closeTo={closeTo}
      fields={{ intent: 'delete-item', id: String(item.id) }}
    >
      “{item.title}” is removed from this program. A task or form that the client has stays.
    </ConfirmDialog>
  )
}

function DetailsDialog({ id, name, description, version }: ProgramPage) {
  const values = formValues(templateFields, { name, description })
  const state = useServerForm(templateFields, { id: 'details', intent: 'edit', values })
  const conflict = useEditConflict(state, { noun: 'program', current: { version, values } })
  const { form, busy } = state
  return (
    <Dialog title="Program Details" closeTo={programUrl(id).href()}>
      <DialogBody>
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="edit" />
          <input type="hidden" name="id" value={id} />
          {conflict.inputs}
          {conflict.notice}
          <TextField field={conflict.fields.name} autoComplete="off" />
          <TextAreaField field={conflict.fields.description} rows={4} hint="The client reads it." />
          <DialogSubmit
            busy={busy}
            aside={
              <>
                <HistoryLink kind="program" id={id} />
                <ButtonLink variant="danger-ghost" to={programUrl(id).href({ dialog: 'delete' })} replace>
                  Delete
                </ButtonLink>
              </>
            }
          >
            Save
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

const shiftFields = {
  days: { kind: 'line', label: 'Days', required: 'Enter at least one day', max: 5 },
} as const satisfies Fields

function ShiftDialog({ id, version }: ProgramPage) {
  const { form, fields, busy } = useServerForm(shiftFields, { id: 'shift', intent: 'shift', values: { days: '7' } })
  return (
    <Dialog title="Shift Dates" closeTo={programUrl(id).href()}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="shift" />
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="version" value={version} />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField
            field={fields.days}
            autoComplete="off"
            hint="All that isn’t done moves by so many days, with its tasks. With a minus, to earlier dates."
          />
          <DialogSubmit busy={busy}>Shift Dates</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

const percentFields = {
  percent: { kind: 'line', label: 'Progress in percent', required: 'Enter a whole number', max: 3 },
} as const satisfies Fields

function ProgressDialog({ id, progress }: ProgramPage) {
  const { form, fields, busy } = useServerForm(percentFields, {
    id: 'progress',
    intent: 'progress',
    values: { percent: String(progress.percent) },
  })
  return (
    <Dialog title="Set Progress" closeTo={programUrl(id).href()}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="progress" />
          <input type="hidden" name="id" value={id} />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField
            field={fields.percent}
            inputMode="numeric"
            autoComplete="off"
            hint="It stays as you set it, whatever is done, until you count it again."
          />
          <DialogSubmit busy={busy}>Set Progress</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

const measureFields = {
  ...goalFields,
  start: { kind: 'line', label: 'Start', required: 'Enter the start', max: 20 },
  target: { kind: 'line', label: 'Target', required: 'Enter the target', max: 20 },
} as const satisfies Fields

function GoalDialog({ programId, goal }: { programId: number; goal: ProgramPage['goals'][number] | null }) {
  const url = programUrl(programId)
  const values = {
    title: goal?.title ?? '',
    unit: goal?.unit ?? '',
    start: String(goal?.start ?? ''),
    target: String(goal?.target ?? ''),
  }
  const intent = goal ? 'edit-goal' : 'add-goal'
  const state = useServerForm(measureFields, { id: 'goal', intent, values })
  const conflict = useEditConflict(state, { noun: 'goal', current: goal ? { version: goal.version, values } : null })
  const { form, busy } = state
  const { fields } = conflict
  return (
    <Dialog title={goal ? 'Edit Goal' : 'Add Goal'} closeTo={url.href()}>
      <DialogBody>
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value={intent} />
          {goal ? (
            <input type="hidden" name="id" value={goal.id} />
          ) : (
            <input type="hidden" name="program" value={programId} />
          )}
          {conflict.inputs}
          {conflict.notice}
          <TextField field={fields.title} autoComplete="off" />
          <div className="grid gap-4 sm:grid-cols-3">
            <TextField field={fields.start} inputMode="decimal" autoComplete="off" />
            <TextField field={fields.target} inputMode="decimal" autoComplete="off" />
            <TextField field={fields.unit} autoComplete="off" hint="Such as kg" />
          </div>
          <DialogSubmit
            busy={busy}
            aside={
              goal && (
                <>
                  <HistoryLink kind="goal" id={goal.id} />
                  <ButtonLink
                    variant="danger-ghost"
                    to={url.href({ dialog: 'delete-goal', goal: goal.id })}
                    replace
                    preventScrollReset
                  >
                    Delete
                  </ButtonLink>
                </>
              )
            }
          >
            {goal ? 'Save' : 'Add Goal'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

const itemFields = {
  title: { kind: 'line', label: 'Title', required: 'Enter a title' },
  owner: { kind: 'choice', label: 'Done by', choices: itemOwners, message: 'Choose the owner' },
  dueDate: { kind: 'date', label: 'Due', optional: true },
} as const satisfies Fields

function ItemDialog({ programId, milestone }: { programId: number; milestone: { id: number; title: string } }) {
  const { form, fields, busy } = useServerForm(itemFields, { id: 'item', intent: 'add-item' })
  return (
    <Dialog title="Add Checklist Item" closeTo={programUrl(programId).href()}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="add-item" />
          <input type="hidden" name="id" value={programId} />
          <input type="hidden" name="milestoneId" value={milestone.id} />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField field={fields.title} autoComplete="off" />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField field={fields.owner} />
            <TextField field={fields.dueDate} type="date" />
          </div>
          <DialogSubmit busy={busy}>Add Item</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
