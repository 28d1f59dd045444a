import { Form } from '@remix-run/react'
import { useState } from 'react'
import { textOf } from '#app/lib/edit-conflict.ts'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { Field, FormError, SelectField, TextField, type Choice } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { RefusedForm, useTwoTabs, type Labels } from '#app/ui/forms/merge-conflict.tsx'
import { prospectsOf } from '../format.ts'
import type { StageData } from './stage-column.tsx'

const colors = ['#3B82F6', '#8B5CF6', '#DB2777', '#DC2626', '#D97706', '#16A34A', '#0F766E', '#64748B']

const labels = [
  ['name', 'Name'],
  ['color', 'Color'],
  ['place', 'Place'],
] as const satisfies Labels<string>

/** Adds a stage, or changes its name, color and place. `places`: where it can stand. */
export function StageDialog({
  stage,
  places,
  closeTo,
}: {
  stage?: StageData & { place: number; version: number }
  places: Choice[]
  closeTo: string
}) {
  const intent = stage ? 'editStage' : 'addStage'
  const texts = {
    name: stage?.name ?? '',
    color: stage?.color ?? colors[0]!,
    place: String(stage ? stage.place : places.length - 1),
  }
  // The order may change behind an open dialog.
  const [opened] = useState(texts.place)
  const { form, fields, busy } = useServerForm<
    Record<'name' | 'color' | 'place' | 'version' | 'was' | 'openedAt', string>
  >({
    id: intent,
    intent,
    values: { ...texts, openedAt: opened },
  })
  const [openedAt, wanted] = [textOf(fields.openedAt.initialValue), textOf(fields.place.initialValue)]
  const tabs = useTwoTabs({
    fields,
    refused: Boolean(stage && form.errors?.length),
    labels,
    current: { version: stage?.version ?? 0, texts },
    moved: wanted !== openedAt && ![openedAt, wanted].includes(texts.place),
    what: 'This stage',
    shown: (name, text) => (name === 'place' && places.find(({ value }) => value === text)?.label) || text,
  })
  return (
    <Dialog title={stage ? 'Edit Stage' : 'Add Stage'} closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset onInput={tabs.onInput}>
          <input type="hidden" name="intent" value={intent} />
          {stage && <input type="hidden" name="id" value={stage.id} />}
          {stage && <input type="hidden" name="openedAt" value={tabs.told ? texts.place : openedAt} />}
          {stage && tabs.inputs}
          <RefusedForm form={form} notice={tabs.notice} what="This stage" />
          <TextField
            field={{ ...fields.name, required: true, maxLength: 255 }}
            label="Name"
            autoComplete="off"
            data-autofocus
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <Field field={fields.color} label="Color">
              <input
                id={fields.color.id}
                name="color"
                type="color"
                list="stage-colors"
                defaultValue={String(fields.color.initialValue ?? colors[0])}
                aria-invalid={Boolean(fields.color.errors?.length) || undefined}
                className="input !p-1"
              />
              <datalist id="stage-colors">
                {colors.map((color) => (
                  <option key={color} value={color} />
                ))}
              </datalist>
            </Field>
            <SelectField field={fields.place} label="Place" choices={places} />
          </div>
          <DialogSubmit busy={busy}>{stage ? 'Save' : 'Add Stage'}</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

/** Asks before a stage goes, and where its prospects go. */
export function DeleteStageDialog({
  stage,
  holds,
  others,
  closeTo,
}: {
  stage: StageData
  holds: number
  others: Choice[]
  closeTo: string
}) {
  if (!others.length) {
    return (
      <Dialog title={`Delete ${stage.name}`} closeTo={closeTo}>
        <DialogBody>
          <p className="text-ink-2">
            This is the last stage, and a pipeline needs at least one. Add another one first.
          </p>
          <DialogActions>
            <DialogClose first>Close</DialogClose>
          </DialogActions>
        </DialogBody>
      </Dialog>
    )
  }
  if (!holds) {
    return (
      <ConfirmDialog
        title={`Delete ${stage.name}`}
        confirm="Delete Stage"
        busyLabel="Deleting..."
        closeTo={closeTo}
        action={closeTo}
        fields={{ intent: 'deleteStage', id: String(stage.id) }}
      >
        No prospect is in this stage.
      </ConfirmDialog>
    )
  }
  return <DeleteFullStage stage={stage} holds={holds} others={others} closeTo={closeTo} />
}

function DeleteFullStage({
  stage,
  holds,
  others,
  closeTo,
}: {
  stage: StageData
  holds: number
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
            {holds === 1 ? '1 prospect is' : `${prospectsOf(holds)} are`} in this stage. None of them is lost.
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
