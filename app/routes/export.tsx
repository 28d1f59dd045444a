import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { formatDateTime } from '#app/lib/time.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { Progress } from '#app/ui/components/progress.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { useResetAfterSuccess } from '#app/ui/forms/use-reset-after-success.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { useReloadWhile } from '#app/ui/navigation/use-reload-while.ts'
import { publicFormActions } from '#modules/core/form-actions.server.ts'
import { passwordCheckFields } from '#tenants/auth/fields.ts'
import { PasswordCheck } from '#tenants/auth/forms.ts'
import { findExport, requestExport } from '#tenants/exports/exports.ts'
import { formatBytes } from '#tenants/storage.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Export')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const latest = await findExport(ctx)
  return {
    latest: latest && {
      state: latest.state,
      progress: latest.progress,
      size: latest.size === null ? '' : formatBytes(latest.size),
      made: formatDateTime(latest.createdAt, ctx.account),
      expires: latest.expiresAt === null ? '' : formatDateTime(latest.expiresAt, ctx.account),
    },
  }
}

const messages = {
  export: {
    done: { title: 'Your export is being made', text: 'We email you when it is ready.' },
    failed: 'Failed to start the export. Please try again.',
  },
}

/** Without a transaction of the route: checking a password takes long, and must not hold one open. */
export const action = publicFormActions(
  messages,
  {
    export: {
      schema: PasswordCheck,
      run: ({ coach, requestContext }, { currentPassword }) => requestExport(coach(), currentPassword, requestContext),
    },
  },
  { home: '/settings/export', authorize: (context) => void context.coach() },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

const bodyClass = 'grid gap-4 border-t border-line-soft px-5 py-5'

export default function ExportPage() {
  const { latest } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Export"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Settings', to: '/settings' }, { label: 'Export' }]}
      description="Everything of your practice in one file, to keep or to take with you."
    >
      <div className="grid max-w-2xl gap-6">
        {latest && (
          <Card title="Your export">
            <Latest />
          </Card>
        )}
        <Card title="Make an export">
          <MakeExport />
        </Card>
      </div>
    </Page>
  )
}

function Latest() {
  const latest = useLoaderData<typeof loader>().latest!
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

function MakeExport() {
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
