import { Form } from '@remix-run/react'
import { useState } from 'react'
import type { Field, Fields } from '#app/lib/fields.ts'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { SelectField, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import type { AutomationPage } from '../automation-loader.server.ts'
import { settingName } from '../fields.ts'
import { fillLine, fillText, toParagraphs } from '../texts.ts'

type ActionDialogData = NonNullable<AutomationPage['dialog']>
type Props = { id: number; version: number; dialog: ActionDialogData; closeTo: string }

/** Adds an action to an automation, or edits it. */
export function ActionDialog({ id, version, dialog, closeTo }: Props) {
  const { id: actionId, kind, label, settings, fields: own, placeholders, example } = dialog
  const values = Object.fromEntries(
    own.map(({ name, initial = '' }) => [settingName(name), settings[name] ?? (actionId ? '' : initial)]),
  )
  const formFields: Fields = Object.fromEntries(
    own.map(({ name, label: fieldLabel, required }): [string, Field] => [
      settingName(name),
      { kind: 'text', label: fieldLabel, ...(required ? { required } : {}) },
    ]),
  )
  const state = useServerForm<Fields>(formFields, { id: 'action', intent: 'save-action', values })
  const conflict = useEditConflict(state, { noun: 'automation', current: { version, values } })
  const [typed, setTyped] = useState<Record<string, string>>({})
  const { form, busy } = state
  const hasTexts = own.some(({ takesPlaceholders }) => takesPlaceholders)
  return (
    <Dialog title={label} closeTo={closeTo}>
      <DialogBody>
        <Form
          key={conflict.key}
          method="post"
          {...form.props}
          className="grid grid-cols-[minmax(0,1fr)] gap-4"
          preventScrollReset
        >
          <input type="hidden" name="intent" value="save-action" />
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="kind" value={kind} />
          {actionId && <input type="hidden" name="action" value={actionId} />}
          {conflict.inputs}
          {conflict.notice}
          {own.map(({ name, kind: fieldKind, hint, choices, max }) => {
            const field = conflict.fields[settingName(name)]!
            const onChange = (event: { currentTarget: { value: string } }) =>
              setTyped({ ...typed, [settingName(name)]: event.currentTarget.value })
            if (fieldKind === 'choice')
              return (
                <SelectField key={name} field={field} choices={toOptions(choices, field.initialValue)} hint={hint} />
              )
            if (fieldKind === 'text')
              return <TextAreaField key={name} field={field} rows={7} hint={hint} onChange={onChange} />
            return (
              <TextField
                key={name}
                field={field}
                hint={hint}
                inputMode={fieldKind === 'days' ? 'numeric' : undefined}
                maxLength={fieldKind === 'days' ? 4 : max}
                autoComplete="off"
                onChange={onChange}
              />
            )
          })}
          {hasTexts && (
            <>
              <Placeholders placeholders={placeholders} />
              <Preview dialog={dialog} texts={{ ...values, ...typed }} values={new Map(example)} />
            </>
          )}
          <DialogSubmit busy={busy}>{actionId ? 'Save' : 'Add Action'}</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

function toOptions(choices: ActionDialogData['fields'][number]['choices'], chosen: unknown) {
  const isListed = choices?.some(({ value }) => value === chosen)
  return [...(isListed ? [] : [{ value: '', label: 'Choose…' }]), ...(choices ?? [])]
}

const Placeholders = ({ placeholders }: Pick<ActionDialogData, 'placeholders'>) => (
  <details className="text-sm">
    <summary className="cursor-pointer text-ink-2">Placeholders</summary>
    <dl className="mt-2 grid gap-2">
      {placeholders.map(({ name, meaning }) => (
        <div key={name}>
          <dt>
            <code>{`{{${name}}}`}</code>
          </dt>
          <dd className="text-ink-3">{meaning}</dd>
        </div>
      ))}
    </dl>
  </details>
)

/** The texts with the values of what happened last. */
function Preview({
  dialog,
  texts,
  values,
}: {
  dialog: ActionDialogData
  texts: Record<string, string>
  values: Map<string, string>
}) {
  return (
    <section aria-label="Preview" className="grid gap-2 rounded-md border border-line p-4 text-sm wrap-anywhere">
      <h3 className="label">Preview</h3>
      {dialog.fields
        .filter(({ takesPlaceholders }) => takesPlaceholders)
        .map(({ name, kind }) => {
          const text = texts[settingName(name)] ?? ''
          return kind === 'text' ? (
            toParagraphs(fillText(text, values)).map((paragraph, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- paragraphs have nothing else, and no state
              <p key={index} className="whitespace-pre-line">
                {paragraph}
              </p>
            ))
          ) : (
            <p key={name} className="font-medium">
              {fillLine(text, values)}
            </p>
          )
        })}
    </section>
  )
}
