import { Form } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'
import { Progress } from '#app/ui/components/progress.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { useResetAfterSuccess } from '#app/ui/forms/use-reset-after-success.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { useReloadWhile } from '#app/ui/navigation/use-reload-while.ts'
import { passwordCheckFields } from '#tenants/auth/fields.ts'

export type ExportDetails = {
  state: 'running' | 'failed' | 'ready' | 'expired'
  progress: number
  size: string
  made: string
  expires: string
}

export const exportMessages = {
  export: {
    done: { title: 'Your export is being made', text: 'We email you when it is ready.' },
    failed: 'Failed to start the export. Please try again.',
  },
}

const bodyClass = 'grid gap-4 border-t border-line-soft px-5 py-5'

/** The coach's latest export: its progress, or the link to the file. */
export function LatestExport({ latest }: { latest: ExportDetails }) {
  const isRunning = latest.state === 'running'
  useReloadWhile(isRunning)
  return (
    <div className={bodyClass}>
      {isRunning && (
        <>
          <noscript>
            <meta httpEquiv="refresh" content="3" />
          </noscript>
          <p className="flex justify-between gap-3">
            <span role="status">Being made…</span>
            <span className="num text-ink-3">{latest.progress}%</span>
          </p>
          <Progress value={latest.progress} label="Progress of the export" className="!h-2" />
          <p className="text-sm text-ink-3">You can leave this page. We email you when it is ready.</p>
        </>
      )}
      {latest.state === 'ready' && (
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <p className="min-w-0 flex-1 basis-60" role="status">
            Ready, as of {latest.made}. It is deleted on {latest.expires}.
          </p>
          <a className="btn btn-secondary" href="/settings/export/download" download>
            Download ({latest.size})
          </a>
        </div>
      )}
      {latest.state === 'expired' && <p>Your export of {latest.made} was deleted. Make another one.</p>}
      {latest.state === 'failed' && <p role="alert">The export could not be made. Make another one.</p>}
    </div>
  )
}

/** The form that begins an export. */
export function MakeExport() {
  const { form, fields, busy } = useServerForm(passwordCheckFields, { id: 'export', intent: 'export' })
  useResetAfterSuccess(form.props.id, busy)
  return (
    <Form method="post" {...form.props} className={bodyClass} preventScrollReset>
      <input type="hidden" name="intent" value="export" />
      <FormError id={form.errorId} errors={form.errors} />
      <p className="text-ink-2">
        A ZIP file with all records as spreadsheets and as JSON, their history, all files, and pages that open in any
        browser without a connection. Another installation of this product can take it in. Passwords, keys and
        connections to other services are not in it.
      </p>
      <PasswordField field={fields.currentPassword} autoComplete="current-password" />
      <p className="hint">You can make one export an hour. It is kept for three days.</p>
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Starting...">
          Export Everything
        </Button>
      </div>
    </Form>
  )
}
