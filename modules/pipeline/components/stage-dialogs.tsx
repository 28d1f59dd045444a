import { Form } from '@remix-run/react'
import { useState } from 'react'
import { toFieldText } from '#app/lib/edit-conflict.ts'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { Field, FormError, SelectField, TextField, type Choice, type FieldState } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { FormErrorSummary, useMergeConflict, type FieldLabels } from '#app/ui/forms/merge-conflict.tsx'
import { formatProspectCount } from '../format.ts'
import type { StageData } from './stage-column.tsx'

const colors = ['#3B82F6', '#8B5CF6', '#DB2777', '#DC2626', '#D97706', '#16A34A', '#0F766E', '#64748B']

const labels = [
  ['name', 'Name'],
  ['color', 'Color'],
  ['position', 'Position'],
] as const satisfies FieldLabels<string>

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
  const { form, fields, busy, conflict, openedAt } = useStageForm(intent, stage, positions)
  return (
    <Dialog title={stage ? 'Edit Stage' : 'Add Stage'} closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset onInput={conflict.onInput}>
          <input type="hidden" name="intent" value={intent} />
          {stage && <input type="hidden" name="id" value={stage.id} />}
          {stage && <input type="hidden" name="openedAt" value={conflict.hasConflict ? stage.position : openedAt} />}
          {stage && conflict.inputs}
          <FormErrorSummary form={form} notice={conflict.notice} subject="This stage" />
          <TextField
            field={{ ...fields.name, required: true, maxLength: 255 }}
            label="Name"
            autoComplete="off"
            data-autofocus
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <ColorField field={fields.color} />
            <SelectField field={fields.position} label="Position" choices={positions} />
          </div>
          <DialogSubmit busy={busy}>{stage ? 'Save' : 'Add Stage'}</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

type StageFieldName = (typeof labels)[number][0]
type EditedStage = StageData & { position: number; version: number }

function useStageForm(intent: string, stage: EditedStage | undefined, positions: Choice[]) {
  const texts = {
    name: stage?.name ?? '',
    color: stage?.color ?? colors[0]!,
    position: String(stage ? stage.position : positions.length - 1),
  }
  // The stages may be reordered while the dialog is open.
  const [initialPosition] = useState(texts.position)
  const { form, fields, busy } = useServerForm<Record<StageFieldName | 'version' | 'was' | 'openedAt', string>>({
    id: intent,
    intent,
    values: { ...texts, openedAt: initialPosition },
  })
  const openedAt = toFieldText(fields.openedAt.initialValue)
  const chosenPosition = toFieldText(fields.position.initialValue)
  const conflict = useMergeConflict({
    fields,
    wasRejected: Boolean(stage && form.errors?.length),
    labels,
    current: { version: stage?.version ?? 0, texts },
    hasMoved: chosenPosition !== openedAt && ![openedAt, chosenPosition].includes(texts.position),
    subject: 'This stage',
    formatValue: (name, text) => (name === 'position' && positions.find(({ value }) => value === text)?.label) || text,
  })
  return { form, fields, busy, conflict, openedAt }
}

function ColorField({ field }: { field: FieldState }) {
  return (
    <Field field={field} label="Color">
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

/** Confirms the deletion of a stage and asks where to move its prospects. */
export function DeleteStageDialog({
  stage,
  prospectCount,
  others,
  closeTo,
}: {
  stage: StageData
  prospectCount: number
  others: Choice[]
  closeTo: string
}) {
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

function DeleteStageWithProspects({
  stage,
  prospectCount,
  others,
  closeTo,
}: {
  stage: StageData
  prospectCount: number
  others: Choice[]
  closeTo: string
}) {
  const { form, fields, busy } = useServerForm<Record<'moveTo', string>>({
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
          <SelectField field={fields.moveTo} label="Move them to" choices={others} />
          <DialogSubmit danger busy={busy} busyLabel="Deleting...">
            Delete Stage
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
