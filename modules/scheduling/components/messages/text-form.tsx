import { Form } from '@remix-run/react'
import type { FormEvent } from 'react'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { messageTextFields } from '../../message-fields.ts'
import { placeholders, type MessageText, type PlaceholderValues, type TextKind } from '../../messages/texts.ts'

type Props = {
  kind: TextKind
  text: { version: number; isStandard: boolean; values: MessageText }
  values: PlaceholderValues
  /** The URL that asks whether to reset the text. */
  resetTo: string
  onDraft: (draft: MessageText) => void
}

/** The subject and the text of a message. */
export function TextForm({ kind, text, values, resetTo, onDraft }: Props) {
  const state = useServerForm(messageTextFields, { id: `text-${kind}`, intent: 'save', values: text.values })
  const { form, busy } = state
  const { key, inputs, notice, fields } = useEditConflict(state, { noun: 'message', current: text })
  const showDraft = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const typed = new FormData(currentTarget)
    onDraft({ subject: String(typed.get('subject') ?? ''), body: String(typed.get('body') ?? '') })
  }
  return (
    <Form
      key={key}
      method="post"
      {...form.props}
      className="grid gap-5 border-t border-line-soft px-5 py-5"
      preventScrollReset
      onInput={showDraft}
    >
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="kind" value={kind} />
      {inputs}
      {notice}
      <TextField field={fields.subject} autoComplete="off" />
      <TextAreaField
        field={fields.body}
        rows={14}
        hint="An empty line begins a paragraph. A line whose placeholder has no value is left out."
      />
      <details>
        <summary className="link hit w-fit cursor-pointer text-sm">Placeholders</summary>
        <dl className="mt-3 grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[max-content_minmax(0,1fr)]">
          {Object.entries(placeholders).map(([name, description]) => (
            <div key={name} className="contents">
              <dt>
                <code>{`{{${name}}}`}</code>
              </dt>
              <dd className="text-ink-3 wrap-anywhere max-sm:mb-1">
                {description}
                {values[name as keyof PlaceholderValues] && `: ${values[name as keyof PlaceholderValues]}`}
              </dd>
            </div>
          ))}
        </dl>
      </details>
      <div className="flex flex-wrap justify-end gap-2">
        {!text.isStandard && (
          <ButtonLink to={resetTo} variant="ghost" preventScrollReset>
            Use Standard Text
          </ButtonLink>
        )}
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          Save Message
        </Button>
      </div>
    </Form>
  )
}
