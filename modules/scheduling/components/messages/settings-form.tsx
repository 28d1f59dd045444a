import { Form } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { SelectField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { messageSettingsFields } from '../../message-fields.ts'
import type { MessagesData } from '../../messages-loader.server.ts'

/** When reminders and follow-ups go out. */
export function SettingsForm({ settings }: Pick<MessagesData, 'settings'>) {
  const state = useServerForm(messageSettingsFields, {
    id: 'message-settings',
    intent: 'save-settings',
    values: settings.values,
  })
  const { form, busy } = state
  const { key, inputs, notice, fields } = useEditConflict(state, { noun: 'plan', current: settings })
  return (
    <Form
      key={key}
      method="post"
      {...form.props}
      className="grid gap-5 border-t border-line-soft px-5 py-5"
      preventScrollReset
    >
      <input type="hidden" name="intent" value="save-settings" />
      {inputs}
      {notice}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          field={fields.reminderMinutes}
          autoComplete="off"
          placeholder="None"
          hint="Up to five, separated by commas: 24 h, 1 h. An appointment type can have its own."
          fieldClass="sm:col-span-2"
        />
        <SelectField field={fields.followUp} />
        <TextField field={fields.followUpMinutes} autoComplete="off" hint="Such as 2 h or 1440 min." />
        <SelectField field={fields.tellsCoach} fieldClass="sm:col-span-2" />
      </div>
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          Save Plan
        </Button>
      </div>
    </Form>
  )
}
