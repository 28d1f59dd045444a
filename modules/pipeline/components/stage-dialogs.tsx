import { Form } from '@remix-run/react'
import { useState } from 'react'
import type { Fields } from '#app/lib/fields.ts'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { Field, FormError, SelectField, TextField, type Choice, type FieldState } from '#app/ui/forms/field.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { useServerForm, type ServerForm } from '#app/ui/forms/use-server-form.ts'
import { stageFields } from '../fields.ts'
import { formatProspectCount } from '../format.ts'
import type { StageData } from './stage-column.tsx'

const colors = ['#3B82F6', '#8B5CF6', '#DB2777', '#DC2626', '#D97706', '#16A34A', '#0F766E', '#64748B']

/** `position` is not a field of the record: its choices depend on the other stages. */
const formFields = {
  ...stageFields,
  position: { kind: 'line', label: 'Position' },
  moveTo: { kind: 'line', label: 'Move them to' },
} as const satisfies Fields

type EditedStage = StageData & { position: number; version: number }

/** Adds a stage, or edits its name, color and position. */
export function StageDialog({
  stage,
  positions,
  closeTo,
}: {
  stage?: EditedStage
  positions: Choice[]
  closeTo: string
}) {
  const intent = stage ? 'editStage' : 'addStage'
  const values = {
    name: stage?.name ?? '',
    color: stage?.color ?? colors[0]!,
    position: String(stage ? stage.position : positions.length - 1),
  }
  const state = useServerForm(formFields, { id: intent, intent, values })
  const conflict = useEditConflict(state, {
    noun: 'stage',
    current: stage ? { version: stage.version, values } : null,
  })
  const { form, busy } = state
  const { fields } = conflict
  return (
    <Dialog title={stage ? 'Edit Stage' : 'Add Stage'} closeTo={closeTo}>
      <DialogBody>
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value={intent} />
          {stage && <input type="hidden" name="id" value={stage.id} />}
          {stage && <OriginalPosition state={state} hasConflict={conflict.hasConflict} position={stage.position} />}
          {conflict.inputs}
          {conflict.notice}
          <TextField field={fields.name} autoComplete="off" data-autofocus />
          <div className="grid gap-4 sm:grid-cols-2">
            <ColorField field={fields.color} />
            <SelectField field={fields.position} choices={positions} />
          </div>
          <DialogSubmit busy={busy}>{stage ? 'Save' : 'Add Stage'}</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

/** The position that the form was opened with, so that an unchanged one doesn't undo a new order from another tab. */
function OriginalPosition({
  state,
  hasConflict,
  position,
}: {
  state: ServerForm<typeof formFields>
  hasConflict: boolean
  position: number
}) {
  const [initial] = useState(position)
  const { openedAt = String(initial) } = (state.submitted ?? {}) as Record<string, string>
  return <input type="hidden" name="openedAt" value={hasConflict ? position : openedAt} />
}

function ColorField({ field }: { field: FieldState }) {
  return (
    <Field field={field}>
      <input
        id={field.id}
        name="color"
        type="color"
        list="stage-colors"
        defaultValue={String(field.initialValue ?? colors[0])}
        aria-invalid={Boolean(field.errors?.length) || undefined}
        className="input !p-1"
      />
      <datalist id="stage-colors">
        {colors.map((color) => (
          <option key={color} value={color} />
        ))}
      </datalist>
    </Field>
  )
}

type DeleteStageProps = { stage: StageData; prospectCount: number; others: Choice[]; closeTo: string }

/** Confirms the deletion of a stage and asks where to move its prospects. */
export function DeleteStageDialog({ stage, prospectCount, others, closeTo }: DeleteStageProps) {
  if (!others.length) {
    return (
      <Dialog title={`Delete ${stage.name}`} closeTo={closeTo}>
        <DialogBody>
          <p className="text-ink-2">
            This is the last stage, and a pipeline needs at least one. Add another stage first.
          </p>
          <DialogActions>
            <DialogClose takesFocus>Close</DialogClose>
          </DialogActions>
        </DialogBody>
      </Dialog>
    )
  }
  if (!prospectCount) {
    return (
      <ConfirmDialog
        title={`Delete ${stage.name}`}
        confirm="Delete Stage"
        busyLabel="Deleting..."
        closeTo={closeTo}
        action={closeTo}
        fields={{ intent: 'deleteStage', id: String(stage.id) }}
      >
        This stage has no prospects.
      </ConfirmDialog>
    )
  }
  return <DeleteStageWithProspects stage={stage} prospectCount={prospectCount} others={others} closeTo={closeTo} />
}

function DeleteStageWithProspects({ stage, prospectCount, others, closeTo }: DeleteStageProps) {
  const { form, fields, busy } = useServerForm(formFields, {
    id: 'delete-stage',
    intent: 'deleteStage',
    values: { moveTo: others[0]?.value },
  })
  return (
    <Dialog title={`Delete ${stage.name}`} closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="deleteStage" />
          <input type="hidden" name="id" value={stage.id} />
          <FormError id={form.errorId} errors={form.errors} />
          <p className="text-ink-2">
            This stage has {formatProspectCount(prospectCount)}. Choose where to move{' '}
            {prospectCount === 1 ? 'it' : 'them'}.
          </p>
          <SelectField field={fields.moveTo} choices={others} />
          <DialogSubmit danger busy={busy} busyLabel="Deleting...">
            Delete Stage
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
