import { Form } from '@remix-run/react'
import { formValues } from '#app/lib/fields.ts'
import { ButtonLink, HistoryLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { SelectField, TextField } from '#app/ui/forms/field.tsx'
import { PersonCombobox } from '#app/ui/forms/person-combobox.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import { taskFields, type TaskOwner } from '../fields.ts'
import type { TaskRecord } from '../records.ts'
import { searchClients, toGroups } from '#app/ui/forms/client-choices.ts'

export type TaskDialogProps = {
  /** Null for a new one. */
  task: (TaskRecord & { version: number }) | null
  /** A new task begins with these. */
  defaults: { clientId: number | null; owner: TaskOwner }
  clients: { id: number; name: string }[]
  /** There are more clients than `clients`. */
  hasMore: boolean
  closeTo: string
  deleteTo: string | null
}

/** Adds a task, or edits `task`. */
export function TaskDialog({ task, defaults, clients, hasMore, closeTo, deleteTo }: TaskDialogProps) {
  const intent = task ? 'edit' : 'add'
  const values = formValues(taskFields, task ?? { ...defaults })
  const state = useServerForm(taskFields, { id: 'task', intent, values })
  const current = task ? { version: task.version, values } : null
  const conflict = useEditConflict(state, { noun: 'task', current })
  const { form, busy } = state
  const { fields } = conflict
  const isFromSession = task !== null && task.source === 'session'
  return (
    <Dialog title={task ? 'Edit Task' : 'Add Task'} closeTo={closeTo}>
      <DialogBody>
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value={intent} />
          {task && <input type="hidden" name="id" value={task.id} />}
          {conflict.inputs}
          {conflict.notice}
          <TextField field={fields.title} autoComplete="off" />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField field={fields.owner} />
            {isFromSession ? (
              <p className="self-end pb-2 text-sm text-ink-3">A task from a session stays with its client.</p>
            ) : (
              <PersonCombobox
                field={fields.clientId}
                placeholder="No client"
                groups={toGroups(clients)}
                search={hasMore ? searchClients : undefined}
              />
            )}
            <TextField field={fields.dueDate} type="date" />
            <SelectField field={fields.reminder} hint="An email to you, if there is a due date." />
          </div>
          <RichTextField field={fields.notes} label={fields.notes.label} rows={3} compact />
          <DialogSubmit
            busy={busy}
            aside={
              task && (
                <>
                  <HistoryLink kind="task" id={task.id} />
                  {deleteTo && (
                    <ButtonLink variant="danger-ghost" to={deleteTo} replace preventScrollReset>
                      Delete
                    </ButtonLink>
                  )}
                </>
              )
            }
          >
            {task ? 'Save' : 'Add Task'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
