import { Form } from '@remix-run/react'
import { useState } from 'react'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { deletedPartErrors, withSubmitted } from '#app/ui/forms/deleted-part.ts'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { FormError, SelectField, TextAreaField, TextField, type FieldState } from '#app/ui/forms/field.tsx'
import { useServerForm, type ServerForm } from '#app/ui/forms/use-server-form.ts'
import { clientFields, questionKinds, type ClientFieldName, type Question } from '../fields.ts'
import { questionFormFields, toQuestionValues } from '../question-values.ts'

type Inputs = ServerForm<typeof questionFormFields>['fields']
type Props = {
  formId: number
  version: number
  question: Question
  isNew: boolean
  /** The values that were typed into a question that another tab has deleted. */
  deleted: Record<string, unknown> | null
  /** The questions before it, which it may depend on. */
  earlier: Question[]
  closeTo: string
  deleteTo: string | null
}

/** Adds a question to a form, or edits it. */
export function QuestionDialog({ formId, version, question, isNew, deleted, earlier, closeTo, deleteTo }: Props) {
  const { kind } = question
  const values = withSubmitted(toQuestionValues(question), deleted)
  const state = useServerForm(questionFormFields, { id: 'question', intent: 'save-question', values })
  const conflict = useEditConflict(state, { noun: 'form', current: { version, values } })
  const { form, busy } = state
  const { fields } = conflict
  const answered = earlier.filter((one) => one.kind !== 'section' && one.kind !== 'file')
  return (
    <Dialog title={isNew ? `Add ${questionKinds[kind]}` : `Edit ${questionKinds[kind]}`} closeTo={closeTo}>
      <DialogBody>
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="save-question" />
          <input type="hidden" name="id" value={formId} />
          <input type="hidden" name="kind" value={kind} />
          {!isNew && <input type="hidden" name="question" value={question.id} />}
          {conflict.inputs}
          {deleted ? <FormError id={form.errorId} errors={deletedPartErrors('question')} /> : conflict.notice}
          <TextField field={fields.label} label={kind === 'section' ? 'Heading' : undefined} autoComplete="off" />
          <TextAreaField field={fields.help} rows={2} />
          <KindFields kind={kind} fields={fields} />
          {kind !== 'section' && (
            <div className="grid gap-4 sm:grid-cols-2">
              <SelectField field={fields.required} />
              {kind !== 'file' && <ClientField field={fields.clientField} kind={kind} />}
            </div>
          )}
          {answered.length > 0 && <ConditionFields fields={fields} questions={answered} />}
          <DialogSubmit
            busy={busy}
            aside={
              deleteTo && (
                <ButtonLink variant="danger-ghost" to={deleteTo} replace preventScrollReset>
                  Delete
                </ButtonLink>
              )
            }
          >
            {isNew ? 'Add Question' : 'Save'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

function KindFields({ kind, fields }: { kind: Question['kind']; fields: Inputs }) {
  if (kind === 'choice')
    return (
      <>
        <TextAreaField field={fields.options} rows={5} />
        <SelectField field={fields.multiple} />
      </>
    )
  if (kind !== 'scale') return null
  return (
    <div className="grid grid-cols-2 gap-4">
      <TextField field={fields.min} inputMode="numeric" autoComplete="off" />
      <TextField field={fields.max} inputMode="numeric" autoComplete="off" />
      <TextField field={fields.minLabel} autoComplete="off" />
      <TextField field={fields.maxLabel} autoComplete="off" />
    </div>
  )
}

function ClientField({ field, kind }: { field: FieldState; kind: Question['kind'] }) {
  const choices = (field.choices ?? []).filter(
    ({ value }) => value === '' || kind !== 'long' || clientFields[value as ClientFieldName].isLong,
  )
  return <SelectField field={field} choices={choices} hint="You approve each change." />
}

function ConditionFields({ fields, questions }: { fields: Inputs; questions: Question[] }) {
  const [chosen, setChosen] = useState(String(fields.conditionQuestion.initialValue ?? ''))
  const other = questions.find(({ id }) => id === chosen)
  const isOrdered = !other || other.kind === 'scale' || other.kind === 'date'
  const tests = (fields.conditionTest.choices ?? []).filter(({ value }) => value !== 'above' || isOrdered)
  return (
    <fieldset className="grid gap-4 rounded-md border border-line p-4">
      <legend className="label px-1">Condition</legend>
      <SelectField
        field={fields.conditionQuestion}
        choices={[
          { value: '', label: 'Always' },
          ...questions.map(({ id, label }) => ({ value: id, label: `Depending on: ${label}` })),
        ]}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField key={isOrdered ? 'all' : 'some'} field={fields.conditionTest} choices={tests} />
        {other?.kind === 'choice' ? (
          <SelectField
            key={other.id}
            field={fields.conditionValue}
            choices={other.options.map((option) => ({ value: option, label: option }))}
          />
        ) : (
          <TextField
            field={fields.conditionValue}
            autoComplete="off"
            hint={other?.kind === 'date' ? 'Such as 2026-03-14' : undefined}
          />
        )}
      </div>
    </fieldset>
  )
}
