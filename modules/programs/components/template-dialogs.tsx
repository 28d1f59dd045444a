import { Form } from '@remix-run/react'
import { formValues, type Fields } from '#app/lib/fields.ts'
import { ButtonLink, HistoryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { deletedPartErrors, useDeletedPart, withSubmitted } from '#app/ui/forms/deleted-part.ts'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { FormError, SelectField, TextAreaField, TextField, type FieldState } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { itemKinds, itemOwners, templateFields } from '../fields.ts'
import { programsUrl, templateUrl } from '../list-state.ts'
import type { TemplatePage } from '../template-loader.server.ts'

/** The dialog of the editor that its URL opens. */
export function TemplateDialog(data: TemplatePage) {
  const { id, state, selected, item } = data
  const { dialog, milestone, kind } = state
  const closeTo = templateUrl(id).href()
  const deletedMilestone = useDeletedPart('save-milestone', selected !== null || !milestone)
  const deletedItem = useDeletedPart('save-item', selected !== null && (item !== null || !state.item))
  if (dialog === 'details') return <DetailsDialog {...data} />
  if (dialog === 'milestone')
    return selected || !milestone || deletedMilestone ? <MilestoneDialog {...data} deleted={deletedMilestone} /> : null
  if (dialog === 'delete-milestone' && selected)
    return (
      <ConfirmDialog
        title="Delete Milestone"
        confirm="Delete Milestone"
        busyLabel="Deleting..."
        closeTo={closeTo}
        fields={{ intent: 'delete-milestone', id: String(id), milestone: selected.id }}
      >
        “{selected.title}” and its items are removed from the template. The programs of clients stay as they are.
      </ConfirmDialog>
    )
  if (dialog === 'delete-item' && selected && item)
    return (
      <ConfirmDialog
        title="Delete Item"
        confirm="Delete Item"
        busyLabel="Deleting..."
        closeTo={closeTo}
        fields={{ intent: 'delete-item', id: String(id), milestone: selected.id, item: item.id }}
      >
        “{item.title}” is removed from the template. The programs of clients stay as they are.
      </ConfirmDialog>
    )
  if (dialog !== 'item' || !kind) return null
  const isThere = selected !== null && (item !== null || !state.item)
  return isThere || deletedItem ? <ItemDialog {...data} kind={kind} deleted={deletedItem} /> : null
}

function DetailsDialog({ id, name, description, version }: TemplatePage) {
  const values = formValues(templateFields, { name, description })
  const state = useServerForm(templateFields, { id: 'details', intent: 'edit', values })
  const conflict = useEditConflict(state, { noun: 'template', current: { version, values } })
  const { form, busy } = state
  return (
    <Dialog title="Template Details" closeTo={templateUrl(id).href()}>
      <DialogBody>
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="edit" />
          <input type="hidden" name="id" value={id} />
          {conflict.inputs}
          {conflict.notice}
          <TextField field={conflict.fields.name} autoComplete="off" />
          <TextAreaField field={conflict.fields.description} rows={4} hint="Clients read it above the milestones." />
          <DialogSubmit
            busy={busy}
            aside={
              <>
                <HistoryLink kind="program_template" id={id} />
                <ButtonLink
                  variant="danger-ghost"
                  to={programsUrl.href({ view: 'templates', dialog: 'delete', template: id })}
                >
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

const milestoneFields = {
  title: { kind: 'line', label: 'Title', required: 'Enter a title' },
  week: { kind: 'line', label: 'Begins in week', required: 'Enter the week', max: 3 },
  description: { kind: 'text', label: 'Description', max: 2000, optional: true },
} as const satisfies Fields

/** `deleted`: the values that were typed into a milestone or an item that another tab has deleted. */
type Deleted = { deleted: Record<string, unknown> | null }

function MilestoneDialog({ id, version, selected, milestones, deleted }: TemplatePage & Deleted) {
  const url = templateUrl(id)
  const initial = {
    title: selected?.title ?? '',
    week: String(selected?.week ?? Math.min(104, (milestones.at(-1)?.week ?? 0) + 1)),
    description: selected?.description ?? '',
  }
  const values = withSubmitted(initial, deleted)
  const state = useServerForm(milestoneFields, { id: 'milestone', intent: 'save-milestone', values })
  const conflict = useEditConflict(state, { noun: 'template', current: { version, values } })
  const { form, busy } = state
  return (
    <Dialog title={selected ? 'Edit Milestone' : 'Add Milestone'} closeTo={url.href()}>
      <DialogBody>
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="save-milestone" />
          <input type="hidden" name="id" value={id} />
          {selected && <input type="hidden" name="milestone" value={selected.id} />}
          {conflict.inputs}
          {deleted ? <FormError id={form.errorId} errors={deletedPartErrors('milestone')} /> : conflict.notice}
          <TextField field={conflict.fields.title} autoComplete="off" />
          <TextField
            field={conflict.fields.week}
            inputMode="numeric"
            autoComplete="off"
            hint="1 is the week in which the program begins."
          />
          <TextAreaField field={conflict.fields.description} rows={3} hint="Clients read it." />
          <DialogSubmit
            busy={busy}
            aside={
              selected && (
                <ButtonLink
                  variant="danger-ghost"
                  to={url.href({ dialog: 'delete-milestone', milestone: selected.id })}
                  replace
                  preventScrollReset
                >
                  Delete
                </ButtonLink>
              )
            }
          >
            {selected ? 'Save' : 'Add Milestone'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

const itemFields = {
  milestone: { kind: 'line', label: 'Milestone', required: 'Choose the milestone' },
  title: { kind: 'line', label: 'Title', required: 'Enter a title' },
  owner: { kind: 'choice', label: 'Done by', choices: itemOwners, message: 'Choose the owner' },
  days: { kind: 'line', label: 'Days until it is due', max: 3, optional: true },
  choiceId: { kind: 'line', label: 'Record', optional: true },
} as const satisfies Fields

type ItemDialogProps = TemplatePage & Deleted & { kind: keyof typeof itemKinds }

/** Without a `selected` milestone, since another tab has deleted it, another one is chosen. */
function ItemDialog({ id, version, selected, milestones, item, kind, choices, deleted }: ItemDialogProps) {
  const url = templateUrl(id)
  const values = { ...withSubmitted(getItemValues(item), deleted), milestone: selected?.id ?? '' }
  const state = useServerForm(itemFields, { id: 'item', intent: 'save-item', values })
  const conflict = useEditConflict(state, { noun: 'template', current: { version, values } })
  const { form, busy } = state
  const { fields } = conflict
  const options = choices?.options.map((one) => ({ value: String(one.id), label: one.name })) ?? []
  const others = milestones.filter(({ isFull }) => !isFull)
  const deletedErrors = selected ? deletedPartErrors('item') : others.length ? milestoneDeleted : noMilestoneLeft
  // A later failure has another reason, such as a milestone that has become full.
  const errors = (conflict.hasConflict ? undefined : form.errors) ?? deletedErrors
  return (
    <Dialog title={`${item ? 'Edit' : 'Add'} ${itemKinds[kind]}`} closeTo={url.href()}>
      <DialogBody>
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="save-item" />
          <input type="hidden" name="id" value={id} />
          {selected && <input type="hidden" name="milestone" value={selected.id} />}
          <input type="hidden" name="kind" value={kind} />
          {item && <input type="hidden" name="item" value={item.id} />}
          {conflict.inputs}
          {deleted ? <FormError id={form.errorId} errors={errors} /> : conflict.notice}
          {!selected && <MilestoneSelect field={fields.milestone} milestones={others} />}
          <TextField field={fields.title} autoComplete="off" hint={hints[kind]} />
          {choices && (
            <SelectField
              field={fields.choiceId}
              label={choices.label}
              choices={[{ value: '', label: choices.isRequired ? 'Choose one' : 'Any' }, ...options]}
            />
          )}
          {(kind === 'check' || kind === 'task') && (
            <SelectField
              field={fields.owner}
              hint="What you do yourself is not shown to the client, and doesn’t count as their progress."
            />
          )}
          {kind !== 'resource' && (
            <TextField
              field={fields.days}
              inputMode="numeric"
              autoComplete="off"
              hint="After the milestone begins. Empty: it has no date."
            />
          )}
          <DialogSubmit
            busy={busy}
            aside={
              selected &&
              item && (
                <ButtonLink
                  variant="danger-ghost"
                  to={url.href({ dialog: 'delete-item', milestone: selected.id, item: item.id })}
                  replace
                  preventScrollReset
                >
                  Delete
                </ButtonLink>
              )
            }
          >
            {item ? 'Save' : 'Add Item'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

const getItemValues = (item: TemplatePage['item']) => ({
  title: item?.title ?? '',
  owner: item?.owner ?? 'client',
  days: String(item?.days ?? ''),
  choiceId: String(item?.choiceId ?? ''),
})

function MilestoneSelect({ field, milestones }: Pick<TemplatePage, 'milestones'> & { field: FieldState }) {
  const choices = milestones.map(({ id, title }) => ({ value: id, label: title }))
  return <SelectField field={field} choices={[{ value: '', label: 'Choose one' }, ...choices]} />
}

const milestoneDeleted = ['The milestone of this item was deleted in another tab. Choose another one.']
const noMilestoneLeft = [
  'The milestone of this item was deleted in another tab, and no other one has room. ' +
    'Add a milestone in another tab, then save this item.',
]

const hints: Partial<Record<keyof typeof itemKinds, string>> = {
  task: 'It is added to the tasks when the milestone begins.',
  form: 'The client gets it in the portal when the milestone begins. It is done once it is answered.',
  session: 'It is done with the next session that the client completes.',
  resource: 'It is shared with the client when the milestone begins, and isn’t counted.',
}
