import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { FormError, SelectField, TextAreaField, type Choice } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { formActions } from '#modules/core/form-actions.server.ts'
import { recordingDays as recordingPeriods, retentionDays, settingsFields } from '../fields.ts'
import { SettingsInput } from '../forms.ts'
import { getSettings, saveSettings } from '../services/settings.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Session Notes Settings')

export async function loader({ context }: LoaderFunctionArgs) {
  return getSettings(context.coach())
}

const messages = { save: { done: 'Settings saved', failed: 'The settings could not be saved.' } }

export const action = formActions(
  messages,
  { save: { schema: SettingsInput, run: saveSettings } },
  { home: '/settings/session-notes' },
)

export const clientAction = formClientAction(messages)

export default function SessionNotesSettings() {
  const { wording, transcriptDays, recordingDays } = useLoaderData<typeof loader>()
  const { form, fields, busy } = useServerForm(settingsFields, {
    id: 'session-notes',
    intent: 'save',
    values: {
      wording,
      transcriptDays: transcriptDays === null ? '' : String(transcriptDays),
      recordingDays: recordingDays === null ? '' : String(recordingDays),
    },
  })
  return (
    <Page title="Session Notes" crumbs={[{ label: 'Settings', to: '/settings' }, { label: 'Session Notes' }]}>
      <Card title="Consent and retention" className="max-w-[40rem]">
        <Form method="post" {...form.props} className="grid gap-4 border-t border-line-soft p-5" preventScrollReset>
          <input type="hidden" name="intent" value="save" />
          <FormError id={form.errorId} errors={form.errors} />
          <TextAreaField
            field={fields.wording}
            rows={6}
            maxLength={2000}
            hint="Suggested when you record a consent. Empty: the standard wording."
          />
          <SelectField
            field={fields.transcriptDays}
            label="Keep transcripts"
            choices={toPeriods('Until I delete them', retentionDays, transcriptDays)}
            hint="Then they are deleted permanently, each night, with the quotes in the summaries. The summaries stay."
          />
          <SelectField
            field={fields.recordingDays}
            label="Keep recordings"
            choices={toPeriods('Until they are transcribed', recordingPeriods, recordingDays)}
            hint="To listen to what a summary cites. They count towards your storage, and a withdrawn consent deletes them."
          />
          <Button type="submit" variant="primary" busy={busy} busyLabel="Saving..." className="justify-self-end">
            Save
          </Button>
        </Form>
      </Card>
    </Page>
  )
}

/** The choices of a period, with the one that is chosen now. */
function toPeriods(always: string, known: readonly number[], chosen: number | null): Choice[] {
  const days = chosen === null || known.includes(chosen) ? known : [...known, chosen]
  return [
    { value: '', label: always },
    ...days.map((count) => ({ value: String(count), label: `${count} days after the session` })),
  ]
}
